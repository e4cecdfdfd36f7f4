import { expect, test } from './fixtures.ts'
import { confirmAddress, newOwner, signUp } from './owners.ts'

test('who signs in before the page has heard from the server is in, and what comes late moves no button', async ({
  page,
  browser,
  baseURL,
  t,
}) => {
  const owner = newOwner()
  await page.goto('/signup')
  await signUp(page, t, { owner, newsletter: 'Low Water' })
  await expect(page).toHaveURL('/dashboard')
  await confirmAddress(page, t, owner)

  const context = await browser.newContext({
    ...(baseURL && { baseURL }),
    locale: test.info().project.use.locale ?? 'en',
  })
  const slow = await context.newPage()
  const answers = { me: Promise.withResolvers<void>(), providers: Promise.withResolvers<void>() }
  let asked = 0
  await slow.route('**/api/me', async (route) => {
    asked += 1
    if (asked > 1) return route.continue()
    const response = await route.fetch()
    await answers.me.promise
    await route.fulfill({ response }).catch(() => {})
  })
  await slow.route('**/api/identity/providers', async (route) => {
    await answers.providers.promise
    await route.continue()
  })
  await slow.goto('/login')
  const submit = slow.getByRole('button', { name: t('identity.login.submit'), exact: true })
  await expect(submit).toBeVisible()
  await slow.evaluate(() => document.fonts.ready)
  const before = await submit.boundingBox()
  answers.providers.resolve()
  await expect(slow.getByRole('button', { name: t('identity.login.link') })).toBeVisible()
  expect(await submit.boundingBox()).toEqual(before)
  await slow.getByLabel(t('identity.email')).fill(owner.email)
  await slow.getByLabel(t('identity.password'), { exact: true }).fill(owner.password)
  await submit.click()
  await expect.poll(() => asked).toBeGreaterThan(1)
  answers.me.resolve()
  await expect(slow).toHaveURL('/dashboard')
  await context.close()
})
