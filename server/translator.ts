import i18next from 'i18next'
import { catalogues } from '../i18n/catalogues.ts'
import type en from '../i18n/en.ts'
import { postProcessors } from '../i18n/post-processors.ts'
import { defaultLanguage, type Language, languages } from './languages.ts'

type Plural<Key extends string> = Key extends `${infer Base}_${'zero' | 'one' | 'many' | 'other'}` ? Base : Key
type KeyOf<Tree, Prefix extends string = ''> = {
  [Key in keyof Tree & string]: Tree[Key] extends string
    ? `${Prefix}${Plural<Key>}`
    : KeyOf<Tree[Key], `${Prefix}${Key}.`>
}[keyof Tree & string]

/** The name of a sentence, such as `errors.not_found`. */
export type SentenceKey = KeyOf<typeof en>

/** Translates a sentence into one language. Its type is simple, because i18next's own takes minutes to check over so many keys. */
export type Translate = (key: SentenceKey, params?: Record<string, unknown>) => string

const i18n = i18next.createInstance()
for (const module of postProcessors) i18n.use(module)
void i18n.init({
  resources: Object.fromEntries(languages.map((language) => [language, { translation: catalogues[language] }])),
  fallbackLng: defaultLanguage,
  supportedLngs: [...languages],
  // React and the text renderers encode. Encoding twice would show entities to people.
  interpolation: { escapeValue: false },
  postProcess: postProcessors.map(({ name }) => name),
  initAsync: false,
})

const say: (key: SentenceKey, params: Record<string, unknown>) => string = i18n.t

/** The translator of one language. */
export const translator =
  (language: Language): Translate =>
  (key, params) =>
    say(key, { ...params, lng: language })
