import { randomInt } from 'node:crypto'

/** Without those that look like another one when they are written by hand. */
const LETTERS = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'
const LENGTH = 12

/** A new code, `ABCD-EFGH-JKMN`: 59 random bits, which nobody guesses at the pace at which codes can be tried. */
export function newCode(): string {
  let letters = ''
  for (let i = 0; i < LENGTH; i += 1) letters += LETTERS[randomInt(LETTERS.length)]
  return grouped(letters)
}

/** A code as it was typed, in small letters, with or without its hyphens; null for what is none. */
export function readCode(typed: string): string | null {
  const letters = typed.toUpperCase().replaceAll(/[\s\p{Pd}]/gu, '')
  return letters.length === LENGTH && [...letters].every((one) => LETTERS.includes(one)) ? grouped(letters) : null
}

const grouped = (letters: string): string => letters.replaceAll(/(.{4})(?=.)/g, '$1-')
