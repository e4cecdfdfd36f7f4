import { locales, otherLanguages } from '../server/languages.ts'
import { expect, test } from './fixtures.ts'
import { createNewsletter } from './owners.ts'

/** What the HTML of sign-up names, for a browser of a language. */
const named = (html: string): string[] =>
  [...html.matchAll(/(?:href|src)="(\/static\/[^"]+)"/g)].map(([, file = '']) => file)

test('the owner app comes with the sentences of its language, and breaks no rule of its policy', async ({
  page,
  t,
  language,
}) => {
  const broken: string[] = []
  page.on('console', (message) => message.type() === 'error' && broken.push(message.text()))
  await page.exposeFunction('tell', (rule: string) => broken.push(rule))
  await page.addInitScript(() =>
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
      Reflect.get(globalThis, 'tell')(`${effectiveDirective} ${blockedURI}`),
    ),
  )
  await page.goto('/signup')
  await expect(page.getByRole('button', { name: t('identity.signUp.submit') })).toBeVisible()
  const ofLanguage = async (name: typeof language) =>
    named(await (await page.request.get('/signup', { headers: { 'accept-language': locales[name] } })).text())
  const mine = await ofLanguage(language)
  const theirs = (await Promise.all(otherLanguages(language).map(ofLanguage))).flat()
  const loaded = await page.evaluate(() =>
    performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname),
  )
  const code = loaded.filter((name) => /^\/static\/.*\.(js|css)$/.test(name))
  expect(theirs.filter((file) => !mine.includes(file))).not.toEqual([])
  // Nothing is asked for only once the app runs, and nothing of another language.
  expect(code.filter((file) => !mine.includes(file))).toEqual([])
  expect(broken).toEqual([])
})

test('sign-up is usable after few bytes, and says in its language what it is', async ({ page, t }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/signup')
  await expect(page.getByRole('button', { name: t('identity.signUp.submit') })).toBeVisible()
  await page.evaluate(() => document.fonts.ready)
  await expect(page.locator('meta[name=description]')).toHaveAttribute('content', t('identity.description'))

  const bytes = await page.evaluate(() => {
    const sizes: Record<string, number> = {}
    for (const entry of performance.getEntriesByType('resource') as PerformanceResourceTiming[]) {
      const type = /\.(js|css|woff2)$/.exec(new URL(entry.name).pathname)?.[1] ?? 'other'
      sizes[type] = (sizes[type] ?? 0) + entry.encodedBodySize
    }
    return sizes
  })

  expect(bytes.js).toBeLessThan(270_000)
  expect(bytes.css).toBeLessThan(40_000)
  // On a phone; a wide screen has a decoration with letters of another cut.
  expect(bytes.woff2).toBeLessThan(60_000)
})

test('a no-break space before a letter is as wide as any other space', async ({ page, language, baseURL }) => {
  const { id } = await createNewsletter(page, baseURL, language)
  for (const path of ['/publish', `/subscribe/${id}`]) {
    await page.goto(path)
    const [kept, usual] = await page.evaluate(async () => {
      await document.fonts.load('100px "Radio Canada"', '2\u00a0Jan')
      return ['2\u00a0Jan', '2 Jan'].map((text) => {
        const line = document.createElement('span')
        line.style.cssText = 'position:absolute;white-space:pre;font:100px "Radio Canada"'
        line.textContent = text
        document.body.append(line)
        return line.getBoundingClientRect().width
      })
    })
    expect(kept).toBe(usual)
  }
})
