import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'

export type Language = 'en' | 'fr'

const catalogues = {
  en: () => import('../i18n/en.ts'),
  fr: () => import('../i18n/fr.ts'),
}

/** The language on screen now. */
export const currentLanguage = (): Language => (i18next.language === 'fr' ? 'fr' : 'en')

/** Loads the sentences of one language, and only those. */
export async function startLanguage(language: Language): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: language,
    resources: { [language]: { translation: (await catalogues[language]()).default } },
    interpolation: { escapeValue: false },
    returnNull: false,
  })
  document.documentElement.lang = language
}

/** Changes the language on screen, and remembers it on this device for the pages before signing in. */
export async function changeLanguage(language: Language): Promise<void> {
  localStorage.setItem('language', language)
  if (language === currentLanguage()) return
  i18next.addResourceBundle(language, 'translation', (await catalogues[language]()).default)
  await i18next.changeLanguage(language)
  document.documentElement.lang = language
}

/** The language chosen on this device, if one was. */
export function chosenLanguage(): Language | null {
  const stored = localStorage.getItem('language')
  return stored === 'en' || stored === 'fr' ? stored : null
}
