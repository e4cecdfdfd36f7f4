import { commonWords } from './common-passwords.ts'
import { longPasswords } from './long-passwords.ts'

/** The fewest and the most characters of a password. */
export const MIN_PASSWORD = 10
export const MAX_PASSWORD = 128
/** Parts of an address or name below this length occur in too many good passwords. */
const MIN_PART = 4
/** A password must have this many characters beside a word that is known. */
const MIN_REST = 6

export type Weakness = 'short' | 'common' | 'personal'

/** The keys of a keyboard along which fingers walk, in both directions. */
const walks = [
  '01234567890123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
  'qwertzuiopasdfghjklyxcvbnm',
  '1q2w3e4r5t6y7u8i9o0p',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
  'q1w2e3r4t5y6u7i8o9p0',
  'qazwsxedcrfvtgbyhnujmikolp',
  '1a2b3c4d5e6f7g8h9i0j',
  'a1b2c3d4e5f6g7h8i9j0',
].flatMap((walk) => [walk, [...walk].reverse().join('')])

const leet: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}

/**
 * Why a password is refused, or null when it is good. There are no rules about kinds of characters. Refused are those that are tried
 * first (NIST SP 800-63B section 3.1.1.2): too short, common, a walk along the keyboard, or made of what is known of the person.
 *
 * @param known the address, names and whatever else a stranger would try
 */
export function weaknessOf(password: string, known: readonly string[]): Weakness | null {
  const text = password.normalize('NFKC').toLowerCase()
  if ([...text].length < MIN_PASSWORD) return 'short'
  const forms = formsOf(text)
  if (longPasswords.has(text) || forms.some(isCommon)) return 'common'
  const parts = known.flatMap(partsOf)
  return forms.some((form) => parts.some((part) => isMostly(form, part))) ? 'personal' : null
}

/** A password as it stands and with digits for letters undone, each without spaces and signs, and without digits at its ends. */
function formsOf(text: string): string[] {
  const plain = lettersOf(text)
  const core = text.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
  const undone = (form: string) => lettersOf([...form].map((letter) => leet[letter] ?? letter).join(''))
  const withoutDigits = text.replaceAll(/[^\p{L}]/gu, '')
  const withoutEnd = text.replace(/[\d\W_]{1,6}$/, '')
  return [...new Set([plain, lettersOf(core), withoutDigits, undone(text), undone(core), undone(withoutEnd)])]
}

const lettersOf = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]/gu, '')

function isCommon(form: string): boolean {
  const part = repeatedPart(form)
  if ([...new Set(part)].length <= 2 || (part !== form && part.length <= 3)) return true
  if (part !== form) return formsOf(part).some(isCommon)
  if (commonWords.has(form)) return true
  if (form.length >= 4 && walks.some((walk) => walk.includes(form))) return true
  return isTwoCommon(form)
}

/** `abcabc` consists of `abc`. */
const repeatedPart = (form: string): string => /^(.+?)\1+$/u.exec(form)?.[1] ?? form

/** Two common words or walks in a row, such as `iloveyou` and `123456`. */
function isTwoCommon(form: string): boolean {
  const isPart = (part: string) =>
    commonWords.has(part) || (part.length >= 3 && walks.some((walk) => walk.includes(part)))
  for (let at = 3; at <= form.length - 3; at++) if (isPart(form.slice(0, at)) && isPart(form.slice(at))) return true
  return false
}

function partsOf(known: string): string[] {
  const text = known.normalize('NFKC').toLowerCase()
  const parts = [lettersOf(text), ...text.split(/[^\p{L}\p{N}]+/u)]
  return [...new Set(parts)].filter((part) => part.length >= MIN_PART)
}

/** Whether hardly anything is left of a password without this part. */
const isMostly = (form: string, part: string): boolean =>
  form.includes(part) && form.replaceAll(part, '').length < MIN_REST
