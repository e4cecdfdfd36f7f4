import type { Language } from '../languages.ts'
import { translator } from '../translator.ts'

/** What a guest is called wherever people are named, in their own language: they have given no name. */
export const guestName = (language: Language): string => translator(language)('shell.guest')
