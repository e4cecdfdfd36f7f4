import { test as base, type Page } from '@playwright/test'
import { defaultLanguage, type Language, languageOf } from '../server/languages.ts'
import { type Translate, translator } from '../server/translator.ts'

export { expect } from '@playwright/test'

interface Fixtures {
  language: Language
  /** Translates into the language of this run's browser, so that tests look for what people read. */
  t: Translate
  /** The data folder of the server. */
  dataDir: string
  /** The browser of a second person, without JavaScript and from another network. */
  subscriber: Page
}

export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what is needed from the pattern
  baseURL: async ({}, use) => use(process.env.TIRAGE_E2E_URL ?? ''),
  // biome-ignore lint/correctness/noEmptyPattern: as above
  dataDir: async ({}, use) => use(process.env.TIRAGE_E2E_DATA_DIR ?? ''),
  language: async ({ locale }, use) => use(languageOf(locale ?? '') ?? defaultLanguage),
  t: async ({ language }, use) => use(translator(language)),
  // biome-ignore lint/correctness/noEmptyPattern: as above
  extraHTTPHeaders: async ({}, use, info) => use(forwardedFor(`${info.project.name} ${info.titlePath.join(' ')}`)),
  subscriber: async ({ browser, baseURL, locale }, use, info) => {
    const headers = forwardedFor(`${info.project.name} ${info.titlePath.join(' ')} subscriber`)
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

/** The header of an address that is different for each test, so that tests share no rate limit. */
function forwardedFor(name: string): { 'x-forwarded-for': string } {
  let hash = 2_166_136_261
  for (const letter of name) hash = Math.imul(hash ^ letter.charCodeAt(0), 16_777_619) >>> 0
  return { 'x-forwarded-for': `10.${(hash >>> 16) & 255}.${(hash >>> 8) & 255}.${hash & 255}` }
}
