import type { Language } from '../server/languages.ts'
import en from './en.ts'
import fr from './fr.ts'
import { withPlurals } from './plurals.ts'

/** The sentences of every language, for programs that need them all at once. Browsers load the sections that they need. */
export const catalogues: Record<Language, object> = { en: withPlurals('en', en), fr: withPlurals('fr', fr) }
