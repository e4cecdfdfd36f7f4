import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { createNewsletter } from './owners.ts'

test('the command palette finds pages, publications, subscribers and links from the keyboard alone', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const { id } = await createNewsletter(page, baseURL, language)
  const add = async (what: string, data: object) =>
    (await page.request.post(`/api/newsletters/${id}/${what}`, { data, headers: { origin: baseURL ?? '' } })).json()
  const boats = await add('publications', { title: 'The last boats' })
  const person = await add('subscribers', { email: 'yann@boats.example', name: 'Yann Le Bris' })
  const link = await add('links', { target: 'https://example.org/timetable', name: 'Boats to Sein' })
  await page.goto('/dashboard')
  const box = page.getByRole('combobox', { name: t('shell.goTo') })
  const list = page.getByRole('listbox', { name: t('shell.goTo') })
  const find = async (words: string) => {
    await expect(page.getByRole('main')).toBeVisible()
    await page.keyboard.press('ControlOrMeta+k')
    await expect(box).toBeFocused()
    await page.keyboard.type(words)
  }

  await find('boats')
  await expect(list.getByRole('option')).toHaveText([/The last boats/, /yann@boats\.example/, /Boats to Sein/])
  const active = list.getByRole('option', { selected: true })
  await expect(active).toContainText('The last boats')
  await expect(box).toHaveAttribute('aria-activedescendant', (await active.getAttribute('id')) ?? '')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/publish/create/${boats.id}`)

  await page.goto('/dashboard')
  await find('boats')
  await expect(list.getByRole('option')).toHaveCount(3)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/subscribers/${person.id}`)

  await find('timetable')
  await expect(list.getByRole('option')).toHaveText([/Boats to Sein/])
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/advertise/links/${link.id}`)

  const plan = await add('charge/plans', { words: { [language]: { name: 'Mooring', promise: '' } } })
  const placement = await add('sponsorship/placements', {
    words: { [language]: { name: 'At the mooring', disclosure: 'Sponsored' } },
    place: 'top',
    maxWords: 60,
  })
  await find('mooring')
  await expect(list.getByRole('option')).toHaveText([/^Mooring/, /At the mooring/])
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/charge/plans/${plan.id}`)
  await find('at the mooring')
  await expect(active).toContainText('At the mooring')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/advertise/placements')

  // Two bookings of one sponsor on one day are told apart by their placements and states.
  const day = '2090-01-07'
  const sold = await page.request.put(`/api/newsletters/${id}/sponsorship/days`, {
    data: { day, kind: 'added' },
    headers: { origin: baseURL ?? '' },
  })
  expect(sold.ok()).toBe(true)
  const booked = { placementId: placement.id, day, currency: 'eur', amount: 41_000, language }
  const { id: first } = await add('sponsorship/bookings', { ...booked, sponsor: 'Halyard Books' })
  await add(`sponsorship/bookings/${first}/acts`, { act: 'cancel' })
  await add('sponsorship/bookings', { ...booked, sponsor: 'Halyard Books' })
  await find('halyard')
  const states = [t('sponsorship.state.cancelled'), t('sponsorship.state.accepted')]
  for (const state of states)
    await expect(list.getByRole('option').filter({ hasText: `At the mooring · ${state}` })).toHaveCount(1)
  await page.keyboard.press('Escape')

  // One of them, though the page has the name of several.
  await find(language === 'fr' ? 'lien court' : 'short link')
  await expect(list.getByRole('option').filter({ hasText: t('shell.titles.links') })).toBeVisible()
  await page.keyboard.press('Escape')

  // What is on a page, and what somebody looks for there, find it as well.
  await find(language === 'fr' ? 'couleur' : 'colour')
  await expect(list.getByRole('option').filter({ hasText: t('shell.settings.branding') })).toBeVisible()
  await page.keyboard.press('Escape')
  await find(language === 'fr' ? 'mot de passe' : 'password')
  await expect(list.getByRole('option').filter({ hasText: t('shell.profile') })).toBeVisible()
  await page.keyboard.press('Escape')

  await find(t('shell.settings.members'))
  await expect(active).toContainText(t('shell.settings.members'))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/settings/members')
})

test('what is typed before the field of the command palette is there goes into it, and nowhere else', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const { id } = await createNewsletter(page, baseURL, language)
  const download = Promise.withResolvers<void>()
  await page.route('**/command-palette*.js', async (route) => {
    await download.promise
    await route.continue()
  })
  await page.goto('/dashboard')
  await expect(page.getByRole('main')).toBeVisible()
  const box = page.getByRole('combobox', { name: t('shell.goTo') })

  // Escape gives the palette up, and an Enter alone does nothing.
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('z')
  await page.keyboard.press('Escape')
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.press('Enter')
  await page.keyboard.type('ca')
  await page.keyboard.press('Backspace')
  await page.keyboard.type('an')
  download.resolve()
  await expect(box).toHaveValue('can')
  await expect(box).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(box).toBeHidden()

  // Its code is here now, but it takes a moment to be drawn.
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type(t('shell.titles.calendar'))
  await expect(box).toHaveValue(t('shell.titles.calendar'))
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('s')
  await expect(box).toHaveValue(`${t('shell.titles.calendar')}s`)
  await page.keyboard.press('Escape')
  await expect(box).toBeHidden()

  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type(t('shell.titles.imports'))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/subscribers/import')
  await expect(page.getByRole('main')).toBeFocused()
  const { rows } = await (await page.request.get(`/api/newsletters/${id}/publications`)).json()
  expect(rows).toEqual([])
})

test('the command palette says that it searches, that there is nothing, and that a search failed', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const { id } = await createNewsletter(page, baseURL, language)
  await page.goto('/dashboard')
  const box = page.getByRole('combobox', { name: t('shell.goTo') })
  const says = (words: string) => expect(page.getByRole('status').filter({ hasText: words })).toBeAttached()
  const answer = Promise.withResolvers<void>()
  await page.route(`**/api/newsletters/${id}/search?*`, async (route) => {
    await answer.promise
    await route.continue()
  })
  await expect(page.getByRole('main')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+k')
  await box.fill('no such thing')
  await says(t('find.searching'))
  answer.resolve()
  await says(t('shell.nothingFound'))

  await page.unroute(`**/api/newsletters/${id}/search?*`)
  await refuse(page, id)
  await box.fill('something else')
  await expect(page.getByRole('alert')).toBeVisible()
  await expect(page.getByRole('option', { name: t('ui.retry'), selected: true })).toBeVisible()
  await page.unrouteAll()
  await page.keyboard.press('Enter')
  await says(t('shell.nothingFound'))
  await page.keyboard.press('Escape')
  await expect(box).toBeHidden()
})

test('the command palette offers no new publication to whoever may not write', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  await createNewsletter(page, baseURL, language)
  const { newsletters } = await (await page.request.get('/api/newsletters')).json()
  const asAnalyst = newsletters.map((each: object) => ({ ...each, role: 'analyst' }))
  await page.route('**/api/newsletters', (route) => route.fulfill({ json: { newsletters: asAnalyst } }))
  await page.goto('/dashboard')
  await expect(page.getByRole('main')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+k')
  await expect(page.getByRole('option', { name: t('shell.profile') })).toBeVisible()
  await expect(page.getByRole('option', { name: t('shell.newPublication') })).toHaveCount(0)
})

/** The server refuses every search. */
const refuse = (page: Page, newsletterId: string) =>
  page.route(`**/api/newsletters/${newsletterId}/search?*`, (route) =>
    route.fulfill({ status: 429, json: { error: { code: 'too_many_requests', message: 'Later.' } } }),
  )
