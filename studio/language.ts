import i18next, { type TFunction } from 'i18next'
import { useEffect, useState } from 'react'
import { initReactI18next, useTranslation } from 'react-i18next'
import { postProcessors } from '../i18n/post-processors.ts'
import {
  defaultLanguage,
  isLanguage,
  type Language,
  languageLabel,
  languageName,
  languages,
  languagesFrom,
} from '../server/languages.ts'
import { addSentences, sectionsIn } from './sentences.ts'

/** The language on screen now. */
export const currentLanguage = (): Language => (isLanguage(i18next.language) ? i18next.language : defaultLanguage)

/** The language on screen, for components that are drawn anew when it changes. */
export function useLanguage(): Language {
  const { i18n } = useTranslation()
  return isLanguage(i18n.language) ? i18n.language : defaultLanguage
}

/** Sentences in a language that need not be the one on screen, for previews. Until they are downloaded, those on screen. */
export function useSentencesIn(language: Language): TFunction {
  const { t, i18n } = useTranslation()
  const onScreen = useLanguage()
  const [loaded, setLoaded] = useState(onScreen)
  useEffect(() => {
    let isOver = false
    addSentences(language, sectionsIn(onScreen)).then(
      () => isOver || setLoaded(language),
      () => undefined,
    )
    return () => {
      isOver = true
    }
  }, [language, onScreen])
  return loaded === language ? i18n.getFixedT(language) : t
}

/** All languages as choices, named in the language on screen; `first` before the others. */
export function useLanguageChoices(first: Language = defaultLanguage): { value: Language; label: string }[] {
  const reader = useLanguage()
  return languagesFrom(first).map((value) => ({ value, label: languageLabel(value, reader) }))
}

/** All languages, `first` before the others, with their name as a sentence on screen has it, such as « français »: for the label of a field. */
export function useLanguageNames(first: Language): { value: Language; name: string }[] {
  const reader = useLanguage()
  return languagesFrom(first).map((value) => ({ value, name: languageName(value, reader) }))
}

/** All languages as choices, each named in itself. */
export const ownLanguageChoices = languages.map((value) => ({ value, label: languageLabel(value) }))

/** Starts with one language, and with the sentences that every page needs. */
export async function startLanguage(language: Language): Promise<void> {
  for (const module of postProcessors) i18next.use(module)
  await i18next.use(initReactI18next).init({
    lng: language,
    resources: {},
    interpolation: { escapeValue: false },
    postProcess: postProcessors.map(({ name }) => name),
    returnNull: false,
  })
  await addSentences(language, neededBy('start'))
  document.documentElement.lang = language
}

/** Downloads a part of the app together with its sentences, and returns what it exports under this name. */
export async function withSentences<K extends string, Part>(
  load: () => Promise<Record<K, Part>>,
  name: K,
): Promise<Part> {
  const [module] = await Promise.all([load(), addNeeded(name)])
  return module[name]
}

const neededBy = (name: string) => sentencesOf[name] ?? []

/** Another language may be chosen while the sentences are on their way. */
async function addNeeded(name: string): Promise<void> {
  let language: Language
  do {
    language = currentLanguage()
    await addSentences(language, neededBy(name))
  } while (language !== currentLanguage())
}

/** Changes the language on screen, and remembers it on this device for the pages before signing in. */
export async function changeLanguage(language: Language): Promise<void> {
  localStorage.setItem('language', language)
  // A page may be opened meanwhile.
  while (sectionsIn(currentLanguage()).some((section) => !sectionsIn(language).includes(section)))
    await addSentences(language, sectionsIn(currentLanguage()))
  await i18next.changeLanguage(language)
  document.documentElement.lang = language
}

/** The language chosen on this device, if one was. */
export function chosenLanguage(): Language | null {
  const stored = localStorage.getItem('language')
  return isLanguage(stored) ? stored : null
}
