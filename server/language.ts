import i18next, { type TFunction } from 'i18next'
import en from '../i18n/en.ts'
import fr from '../i18n/fr.ts'

export type Language = 'en' | 'fr'
export type Translate = TFunction

const catalogue = i18next.createInstance({
  resources: { en: { translation: en }, fr: { translation: fr } },
  fallbackLng: 'en',
  supportedLngs: ['en', 'fr'],
  // React and the text renderers encode; encoding twice would show entities to people.
  interpolation: { escapeValue: false },
  initAsync: false,
})
void catalogue.init()

const translators: Record<Language, Translate> = { en: catalogue.getFixedT('en'), fr: catalogue.getFixedT('fr') }

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
