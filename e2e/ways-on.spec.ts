import type { Page } from '@playwright/test'
import { languageName, languagesFrom } from '../server/languages.ts'
import { expect, test } from './fixtures.ts'
import { confirmAddress, createNewsletter, newOwner, newslettersOf, signUp } from './owners.ts'

test('an owner who has not confirmed their address is told that sponsors’ requests do not reach them, and how they will', async ({
  page,
  context,
  t,
}) => {
  const owner = newOwner()
  await page.goto('/signup')
  await signUp(page, t, { owner, newsletter: 'Low Water' })
  await expect.poll(() => newslettersOf(page)).toHaveLength(1)
  await page.goto('/advertise')
  const warning = page
    .getByRole('main')
    .getByRole('alert')
    .filter({ hasText: t('advertise.unconfirmed') })
  await expect(warning).toContainText(owner.email)
  await expect(warning.getByRole('link', { name: t('identity.profile.readConfirmation') })).toBeVisible()
  // It is confirmed in another tab, as from a mail. The browser says when somebody comes back to this one.
  const other = await context.newPage()
  await confirmAddress(other, t, owner)
  await expect(warning).toBeVisible()
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
  await expect(warning).toHaveCount(0)
  await page.goto('/advertise')
  await expect(page.getByRole('region', { name: t('shell.steps.title') })).toBeVisible()
  await expect(warning).toHaveCount(0)
})

test('lists of links and of campaigns that are empty offer the first one', async ({ page, t, language, baseURL }) => {
  await createNewsletter(page, baseURL, language)
  for (const [path, none, add] of [
    ['/advertise/links', t('links.none'), t('links.add')],
    ['/advertise/campaigns', t('campaigns.none'), t('campaigns.add')],
  ] as const) {
    await page.goto(path)
    const empty = page.getByRole('main').getByText(none).locator('..')
    await empty.getByRole('button', { name: add }).click()
    await expect(page.getByRole('dialog', { name: add })).toBeVisible()
  }
})

test('an address of another newsletter of theirs is opened there: by itself from a mail, else by a button', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const first = await createNewsletter(page, baseURL, language)
  const headers = { origin: baseURL ?? '' }
  const made = await page.request.post(`/api/newsletters/${first.id}/publications`, {
    data: { title: 'Quay' },
    headers,
  })
  const { id } = (await made.json()) as { id: string }
  const data = { name: `Pilot ${first.name}`, language, timezone: 'Europe/Paris', currency: 'eur' }
  const added = await page.request.post('/api/newsletters', { data, headers })
  expect(added.ok(), await added.text()).toBe(true)
  const second = (await added.json()) as { id: string }
  await page.goto(`/publish?newsletter=${second.id}`)
  const open = (name: string) => expect(page).toHaveTitle(new RegExp(`· ${name} ·`))
  await open(data.name)

  for (const path of [`/publish/${id}`, `/publish/create/${id}`]) {
    await page.goto(path)
    await expect(page.getByText(t('shell.elsewhere', { newsletter: data.name }))).toBeVisible()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('shell.notFound'))
    await expect(page).toHaveTitle(new RegExp(`^${t('shell.notFound')}`))
  }
  await page.getByRole('button', { name: t('shell.lookIn', { newsletter: first.name }) }).click()
  await expect(page.getByRole('textbox', { name: t('publish.editor.title'), exact: true })).toHaveValue('Quay')

  await page.goto(`/publish?newsletter=${second.id}`)
  await open(data.name)
  await page.goto('/publish?newsletter=nobody')
  await open(data.name)
})

test('an address of something that is not there says so and leads to the list of its kind', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  await createNewsletter(page, baseURL, language)
  for (const [path, list] of [
    ['/charge/plans/999', '/charge/plans'],
    ['/advertise/campaigns/zzz', '/advertise/campaigns'],
    ['/advertise/links/zzz', '/advertise/links'],
    ['/advertise/calendar/zzz', '/advertise/calendar'],
    ['/publish/create/zzz', '/publish'],
    ['/publish/create/zzz/send', '/publish'],
  ] as const) {
    await page.goto(path)
    const main = page.getByRole('main')
    await expect(main).toContainText(t('shell.notFound'))
    await expect(main.getByRole('link')).toHaveAttribute('href', list)
    await expect(page.getByRole('button', { name: t('ui.retry') })).toHaveCount(0)
  }
})

/** Whether the field of one language stands before that of the other. Both are measured at the same moment: the page may be scrolling. */
async function order(page: Page, [first = '', second = '']: string[]): Promise<boolean> {
  const other = await page.getByLabel(second).elementHandle()
  return page.getByLabel(first).evaluate((one, after) => {
    const [a, b] = [one, after as Element].map((field) => field.getBoundingClientRect())
    return a !== undefined && b !== undefined && (a.y < b.y || (a.y === b.y && a.x < b.x))
  }, other)
}

test('the language of the newsletter comes first, and the page of sponsors is opened from Placements', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const other = language === 'en' ? 'fr' : 'en'
  const newsletter = await createNewsletter(page, baseURL, other)
  const fields = (name: (language: string) => string) =>
    languagesFrom(other).map((one) => name(languageName(one, language)))
  const api = `/api/newsletters/${newsletter.id}/sponsorship/settings`
  await page.goto('/advertise/placements')
  await page
    .getByRole('button', { name: t('sponsorship.add') })
    .first()
    .click()
  await expect(page.getByRole('dialog')).toBeVisible()
  expect(
    await order(
      page,
      fields((name) => t('sponsorship.name', { language: name })),
    ),
  ).toBe(true)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  expect(
    await order(
      page,
      fields((name) => t('sponsorship.page.words', { language: name })),
    ),
  ).toBe(true)

  const opened = await page.request.patch(api, { data: { page: 'open' }, headers: { origin: baseURL ?? '' } })
  expect(opened.ok(), await opened.text()).toBe(true)
  await page.reload()
  const leads = page.getByRole('link', { name: t('sponsorship.page.look') })
  const [shown] = await Promise.all([page.waitForEvent('popup'), leads.click()])
  await expect(shown).toHaveURL(`/sponsor/${newsletter.id}`)
  await expect(shown.getByRole('heading', { level: 1 })).toContainText('Low Water')
})

test('Advertise begins a short link and a campaign, and leads to the page for sponsors, or to where it is switched on', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const newsletter = await createNewsletter(page, baseURL, language)
  await page.goto('/advertise')
  const main = page.getByRole('main')
  const toSponsors = main.getByRole('link', { name: t('sponsorship.page.title') })
  await main.getByRole('button', { name: t('links.add') }).click()
  await page.getByRole('dialog', { name: t('links.add') }).press('Escape')
  await main.getByRole('button', { name: t('campaigns.add') }).click()
  await expect(page.getByRole('dialog', { name: t('campaigns.add') })).toBeVisible()
  await expect(toSponsors).toHaveAttribute('href', '/advertise/placements')
  const opened = await page.request.patch(`/api/newsletters/${newsletter.id}/sponsorship/settings`, {
    data: { page: 'open' },
    headers: { origin: baseURL ?? '' },
  })
  expect(opened.ok(), await opened.text()).toBe(true)
  await page.reload()
  await expect(toSponsors).toHaveAttribute('href', /^\/sponsor\//)
  const [sponsors] = await Promise.all([page.waitForEvent('popup'), toSponsors.click()])
  await expect(sponsors.getByRole('heading', { level: 1 })).toContainText(newsletter.name)
})

test('the path above a page of one thing names it and leads to the list, and so does the tab of the browser', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const newsletter = await createNewsletter(page, baseURL, language)
  const made = await page.request.post(`/api/newsletters/${newsletter.id}/links`, {
    data: { target: 'https://example.org/', name: 'Quay' },
    headers: { origin: baseURL ?? '' },
  })
  const { id } = (await made.json()) as { id: string }
  const path = page.getByRole('navigation', { name: t('shell.crumbs') })
  await page.goto(`/advertise/links/${id}`)
  await expect(path.locator('[aria-current]')).toHaveText('Quay')
  await expect(page).toHaveTitle(`Quay · ${newsletter.name} · Tirage`)
  await path.getByRole('link', { name: t('shell.titles.links') }).click()
  await expect(page).toHaveURL('/advertise/links')
  await expect(path.locator('[aria-current]')).toHaveText(t('shell.titles.links'))
  await expect(page).toHaveTitle(`${t('shell.titles.links')} · ${newsletter.name} · Tirage`)
})
