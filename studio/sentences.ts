import i18next from 'i18next'
import { withPlurals } from '../i18n/plurals.ts'
import type { Language } from '../server/languages.ts'

/** The sections of every language, each a file of its own. */
const files = import.meta.glob<Record<string, string>>('../i18n/*/*.ts', { import: 'default' })

/** Adds sections to the sentences of a language. Those that it has are not loaded again. */
export async function addSentences(language: Language, sections: readonly string[]): Promise<void> {
  const here = sectionsIn(language)
  const missing = sections.filter((section) => !here.includes(section))
  if (missing.length === 0) return
  const loaded = await Promise.all(missing.map(async (section) => [section, await load(language, section)] as const))
  i18next.addResourceBundle(language, 'translation', Object.fromEntries(loaded))
}

async function load(language: Language, section: string) {
  const file = files[`../i18n/${language}/${section}.ts`]
  if (!file) throw new Error(`i18n/${language} has no section ${section}`)
  return withPlurals(language, await file())
}

/** The sections of a language that were loaded. */
export function sectionsIn(language: Language): string[] {
  const sentences: object | undefined = i18next.getResourceBundle(language, 'translation')
  return Object.keys(sentences ?? {})
}
