export type Strength = 'none' | 'short' | 'fair' | 'strong' | 'excellent'

/**
 * How well a password resists guessing, as a number from 0 to 100 and a word.
 *
 * A rough measure: length times the kinds of characters, where repeated characters count less. It is only advice; the
 * server requires ten characters and nothing else.
 */
export function strengthOf(password: string): { share: number; word: Strength } {
  if (password === '') return { share: 0, word: 'none' }
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^a-zA-Z\d]/].filter((kind) => kind.test(password)).length
  const bits = Math.min(password.length, 1.5 * new Set(password).size) * (3 + kinds * 0.6)
  const share = Math.min(100, Math.round((100 * bits) / 90))
  if (password.length < 10) return { share: Math.min(share, 25), word: 'short' }
  if (share < 60) return { share, word: 'fair' }
  return { share, word: share < 90 ? 'strong' : 'excellent' }
}
