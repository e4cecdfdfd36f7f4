import { expect, test } from './fixtures.ts'
import { createNewsletter, newOwner, signUp } from './owners.ts'

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

test('a new owner who came for Advertise sees what to do first, and what is done', async ({ page, t }) => {
  await page.goto('/?product=advertise')
  await expect(page).toHaveURL('/signup?product=advertise')
  await signUp(page, t, { owner: newOwner(), newsletter: 'Low Water' })
  await expect(page).toHaveURL('/advertise')
  const steps = page.getByRole('region', { name: t('shell.steps.title') })
  await expect(steps).toContainText(t('shell.steps.of', { done: '0', all: '3' }))
  await steps.getByRole('link', { name: t('advertise.steps.link.action') }).click()
  await page.getByRole('button', { name: t('links.add') }).click()
  await page.getByRole('dialog').getByLabel(t('links.target')).fill('example.org/tide')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('links.make') })
    .click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('/r/')
  await page.goto('/advertise')
  await expect(steps).toContainText(t('shell.steps.of', { done: '1', all: '3' }))
})

test('a short link is made, followed by a person and a robot, counted with the reason, and disabled', async ({
  page,
  t,
  request,
  baseURL,
  language,
}, info) => {
  await createNewsletter(page, baseURL, language)
  await page.goto('/advertise')
  // Once what stands above it has come, the link stays in its place.
  await expect(page.getByRole('region', { name: t('shell.steps.title') })).toBeVisible()
  await page.getByRole('link', { name: t('advertise.all') }).click()
  await page.getByRole('button', { name: t('links.add') }).click()
  const slug = `affiche-${info.project.name}`
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(t('links.target')).fill('example.org/tide')
  await dialog.getByLabel(t('links.name'), { exact: true }).fill('Affiche')
  await dialog.getByLabel(t('links.slug')).fill('r')
  await dialog.getByRole('button', { name: t('links.make') }).click()
  await expect(dialog.getByLabel(t('links.slug'))).toHaveAttribute('aria-invalid', 'true')
  await dialog.getByLabel(t('links.slug')).fill(slug)
  await dialog.getByRole('button', { name: t('links.make') }).click()
  await expect(page.getByRole('heading', { name: 'Affiche' })).toBeVisible()

  const follow = (agent: string) =>
    request.get(`/r/${slug}`, { maxRedirects: 0, headers: { 'user-agent': agent } }).then((answer) => answer.status())
  expect([await follow(BROWSER), await follow('Googlebot/2.1')]).toEqual([302, 302])
  await expect(page.getByText(t('links.rules.bot.name'))).toBeVisible()
  await expect(page.getByRole('img', { name: t('links.chart', { human: '1', raw: '2' }) })).toBeVisible()
  await expect(page.getByRole('img', { name: /^(QR code|Code QR)/ })).toBeVisible()

  await page
    .getByRole('main')
    .getByRole('link', { name: t('links.rulesPage.title') })
    .click()
  await expect(page.getByText(t('links.rules.canary.name'))).toBeVisible()
  await page.getByRole('button', { name: t('links.rulesPage.judge') }).click()
  await expect(page.getByText(t('links.rulesPage.judged', { count: 2, n: '2' }))).toBeVisible()
  await expect(page.getByText(t('links.rulesPage.same'))).toBeVisible()
  await page.goBack()

  await page.getByRole('button', { name: t('links.disable') }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('links.disable') })
    .click()
  await expect(page.getByRole('button', { name: t('links.enable') })).toBeVisible()
  expect(await follow(BROWSER)).toBe(410)
  await page.goto('/advertise/links')
  await expect(page.getByRole('row').filter({ hasText: 'Affiche' })).toContainText('3')
})
