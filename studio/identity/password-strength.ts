import { MIN_PASSWORD, weaknessOf } from '../../server/identity/password-rules.ts'

export { MIN_PASSWORD }

export type Strength = 'none' | 'short' | 'common' | 'personal' | 'fair' | 'strong' | 'passphrase' | 'excellent'

/**
 * How well a password resists guessing, as a number from 0 to 100 and a word.
 *
 * What the server refuses is weak here for the same reason. Beyond that it is a rough measure and only advice: length times the
 * kinds of characters, where repeated characters count less.
 *
 * @param known what a stranger would try: the address and names
 */
export function strengthOf(password: string, known: readonly string[]): { share: number; word: Strength } {
  if (password === '') return { share: 0, word: 'none' }
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^a-zA-Z\d]/].filter((kind) => kind.test(password)).length
  const bits = Math.min(password.length, 1.5 * new Set(password).size) * (3 + kinds * 0.6)
  const share = Math.min(100, Math.round((100 * bits) / 90))
  const weakness = weaknessOf(password, ['tirage', ...known.flatMap((text) => [text, ...text.split('@')])])
  if (weakness) return { share: Math.min(share, 25), word: weakness }
  if (share < 60) return { share, word: 'fair' }
  if (share >= 90) return { share, word: 'excellent' }
  return { share, word: isPassphrase(password) ? 'passphrase' : 'strong' }
}

/** Whether it is the four words that others are advised to take. */
const isPassphrase = (password: string): boolean =>
  new Set(password.toLowerCase().match(/\p{L}[\p{L}\p{M}]+/gu)).size >= 4
