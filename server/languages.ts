import i18next from 'i18next'
import en from '../i18n/en.ts'
import fr from '../i18n/fr.ts'

export const languages = ['en', 'fr'] as const
export type Language = (typeof languages)[number]

type Plural<Key extends string> = Key extends `${infer Base}_${'zero' | 'one' | 'many' | 'other'}` ? Base : Key
type KeyOf<Tree, Prefix extends string = ''> = {
  [Key in keyof Tree & string]: Tree[Key] extends string
    ? `${Prefix}${Plural<Key>}`
    : KeyOf<Tree[Key], `${Prefix}${Key}.`>
}[keyof Tree & string]

/** The name of a sentence, such as `errors.not_found`. */
export type SentenceKey = KeyOf<typeof en>

/** Says a sentence in one language. A plain signature: i18next's own takes minutes to check over so many keys. */
export type Translate = (key: SentenceKey, params?: Record<string, unknown>) => string

const catalogue = i18next.createInstance({
  resources: { en: { translation: en }, fr: { translation: fr } },
  fallbackLng: 'en',
  supportedLngs: [...languages],
  // React and the text renderers encode; encoding twice would show entities to people.
  interpolation: { escapeValue: false },
  initAsync: false,
})
void catalogue.init()

const speak =
  (language: Language): Translate =>
  (key, params) =>
    (catalogue.t as (key: string, params: object) => string)(key, { ...params, lng: language })
const translators: Record<Language, Translate> = { en: speak('en'), fr: speak('fr') }

/** The sentences of one language. */
export const translator = (language: Language): Translate => translators[language]

/** `fr` or `en` by the weights of an Accept-Language header (RFC 9110 section 12.5.4), else `fallback`. */
export function acceptedLanguage(header: string | undefined, fallback: Language): Language {
  const ranges = (header ?? '').split(',', 20).flatMap((part) => {
    const [tag = '', ...params] = part.trim().toLowerCase().split(';')
    const language = tag.split('-')[0]
    const weight = Number(
      params
        .find((p) => p.trim().startsWith('q='))
        ?.trim()
        .slice(2) ?? 1,
    )
    return (language === 'en' || language === 'fr') && weight > 0 ? [{ language, weight } as const] : []
  })
  return ranges.sort((a, b) => b.weight - a.weight)[0]?.language ?? fallback
}
