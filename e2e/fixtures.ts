import { test as base, type Page } from '@playwright/test'
import type { Language } from '../server/languages.ts'
import { type Translate, translator } from '../server/translator.ts'

export { expect } from '@playwright/test'

interface Fixtures {
  language: Language
  /** The sentences of the language that this run's browser speaks: what is looked for is what people read. */
  t: Translate
  /** A second person, elsewhere, whose browser runs no scripts. */
  reader: Page
}

export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what is needed from the pattern
  baseURL: async ({}, use) => use(process.env.TIRAGE_E2E_URL ?? ''),
  language: async ({ locale }, use) => use(locale?.startsWith('fr') ? 'fr' : 'en'),
  t: async ({ language }, use) => use(translator(language)),
  // biome-ignore lint/correctness/noEmptyPattern: as above
  extraHTTPHeaders: async ({}, use, info) => use(from(`${info.project.name} ${info.titlePath.join(' ')}`)),
  reader: async ({ browser, baseURL, locale }, use, info) => {
    const headers = from(`${info.project.name} ${info.titlePath.join(' ')} reader`)
    const context = await browser.newContext({
      ...(baseURL && { baseURL }),
      ...(locale && { locale }),
      extraHTTPHeaders: headers,
      javaScriptEnabled: false,
    })
    await use(await context.newPage())
    await context.close()
  },
})

/** Each journey comes from a network of its own, so that no limit is shared. */
function from(name: string): { 'x-forwarded-for': string } {
  let hash = 2_166_136_261
  for (const letter of name) hash = Math.imul(hash ^ letter.charCodeAt(0), 16_777_619) >>> 0
  return { 'x-forwarded-for': `10.${(hash >>> 16) & 255}.${(hash >>> 8) & 255}.${hash & 255}` }
}
