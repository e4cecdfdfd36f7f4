import type { Language } from '../server/languages.ts'
import en from './en.ts'
import fr from './fr.ts'

/** The sentences of every language, for programs that need them all at once. Browsers load one at a time. */
export const catalogues: Record<Language, object> = { en, fr }
