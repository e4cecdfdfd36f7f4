import { expect, test } from './fixtures.ts'

test('the owner app comes with the sentences of its language, and breaks no rule of its policy', async ({
  page,
  t,
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
  const language = await page.locator('html').getAttribute('lang')
  const preloaded = await page.locator(`link[rel=modulepreload][href^="/static/${language}-"]`).getAttribute('href')
  const loaded = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
  expect(loaded.filter((name) => /\/static\/(en|fr)-[^/]+\.js$/.test(name))).toEqual([
    expect.stringContaining(preloaded ?? '/static/'),
  ])
  expect(broken).toEqual([])
})
