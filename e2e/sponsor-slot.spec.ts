import type { Page } from '@playwright/test'
import { locales } from '../server/languages.ts'
import { readMail } from './caught-mail.ts'
import { EditorScreen } from './editor-screen.ts'
import { expect, test } from './fixtures.ts'
import { createNewsletter } from './owners.ts'
import { subscribe } from './subscribers.ts'

interface Arranged {
  newsletterId: string
  baseURL: string | undefined
}

/** A placement, and a sponsor whose words are approved, or not in yet, for a day of the newsletter's calendar: today, or so many days later. */
async function book(
  page: Page,
  { newsletterId, baseURL, later = 0, hasText = true }: Arranged & { later?: number; hasText?: boolean },
) {
  const call = async (method: 'post' | 'put', rest: string, data: object) => {
    const address = `/api/newsletters/${newsletterId}/sponsorship${rest}`
    const answer = await page.request[method](address, { data, headers: { origin: baseURL ?? '' } })
    expect(answer.status(), await answer.text()).toBe(200)
    return answer.json()
  }
  const { today } = await (await page.request.get(`/api/newsletters/${newsletterId}/sponsorship/calendar`)).json()
  const day = new Date(Date.parse(today) + later * 86_400_000).toISOString().slice(0, 10)
  const words = {
    en: { name: 'Top', disclosure: 'Presented by a sponsor' },
    fr: { name: 'Tête', disclosure: 'Présenté par un annonceur' },
  }
  const { id: placementId } = await call('post', '/placements', { words, place: 'top', maxWords: 40 })
  await call('put', '/days', { day, kind: 'added' })
  const sponsor = { sponsor: 'Brindle', language: 'en', currency: 'eur', amount: 41_000 }
  const { id } = await call('post', '/bookings', { placementId, day, ...sponsor })
  await call('post', `/bookings/${id}/money`, { act: 'pay' })
  if (!hasText) return { bookingId: id, day, placementId }
  const creative = {
    name: 'Brindle',
    text: 'Brindle twists ropes by hand.',
    label: 'See them',
    target: 'https://brindle.example/',
  }
  await call('put', `/bookings/${id}/creative`, creative)
  await call('post', `/bookings/${id}/acts`, { act: 'approve' })
  return { bookingId: id, day, placementId }
}

test('a writer puts a sponsor slot into the text, and it fills itself when the publication goes out', async ({
  page,
  subscriber,
  t,
  language,
  baseURL,
}) => {
  const newsletter = await createNewsletter(page, baseURL, language)
  await book(page, { newsletterId: newsletter.id, baseURL })
  const reader = await subscribe({ subscriber, owner: page, t, newsletter })
  const api = `/api/newsletters/${newsletter.id}/publications`
  const headers = { origin: baseURL ?? '' }
  const { id } = await (await page.request.post(api, { data: { title: 'The tide' }, headers })).json()
  const placement = language === 'fr' ? 'Tête' : 'Top'
  const disclosure = language === 'fr' ? 'Présenté par un annonceur' : 'Presented by a sponsor'

  await page.goto(`/publish/create/${id}`)
  const editor = new EditorScreen(page, t)
  await editor.text.click()
  await editor.type('The sea comes back.')
  await editor.press('Enter')
  const insert = async () => {
    await page.getByRole('button', { name: t('editor.tool.more') }).click()
    await page.getByRole('menuitem', { name: placement, exact: true }).click()
  }
  await insert()
  const slot = editor.text.getByRole('group', { name: t('publish.slot.label', { placement }) })
  await expect(slot).toContainText('Brindle twists ropes by hand.')
  await expect(slot).toContainText(disclosure)
  // The cursor is below it, and typing while it is selected changes nothing.
  await editor.type('Below the slot.')
  await slot.click()
  await expect(page.getByRole('region', { name: t('editor.node.sponsorSlot') })).toBeVisible()
  await editor.type('x')
  await expect(slot).toContainText('Brindle twists ropes by hand.')
  await insert()
  await expect(editor.text.getByRole('group')).toHaveCount(1)
  await page.getByRole('button', { name: t('editor.node.remove') }).click()
  await expect(editor.text.getByRole('group')).toHaveCount(0)
  await insert()
  await expect(slot).toContainText('Brindle twists ropes by hand.')

  await page.getByRole('button', { name: t('publish.preview.title') }).click()
  const mail = page.frameLocator(`iframe[title="${t('publish.preview.email')}"]`)
  // Who pays reads without it, so who sees more of it is shown first.
  await expect(mail.getByText('Brindle twists ropes by hand.')).toBeVisible()
  await page.getByLabel(t('publish.preview.reader'), { exact: true }).selectOption('paid')
  await expect(mail.getByText('Brindle twists ropes by hand.')).toHaveCount(0)
  await expect(mail.getByText('Below the slot.', { exact: true })).toBeVisible()

  await expect
    .poll(async () => JSON.stringify((await (await page.request.get(`${api}/${id}`)).json()).content))
    .toContain('sponsorSlot')
  await page.goto(`/publish/create/${id}/send`)
  await page.getByRole('button', { name: t('preFlight.all') }).click()
  await expect(page.getByText(t('publish.slot.carries', { placement, sponsor: 'Brindle' }))).toBeVisible()
  const sent = await page.request.post(`${api}/${id}/send`, { data: {}, headers })
  expect(sent.ok(), await sent.text()).toBe(true)
  const received = await readMail(page, newsletter.id, { to: reader, subject: 'The tide' })
  expect(received.html).toContain('Brindle twists ropes by hand.')
  expect(received.text).toContain(`[${disclosure}]`)
  await subscriber.goto((await sent.json()).url)
  const shown = subscriber.getByRole('complementary', { name: disclosure })
  await expect(shown).toContainText('Brindle twists ropes by hand.')
  await expect(shown.getByRole('link', { name: 'See them' })).toHaveAttribute('rel', /sponsored/)
  for (const [width, scheme] of [
    [1440, 'dark'],
    [390, 'light'],
  ] as const) {
    await subscriber.setViewportSize({ width, height: 1000 })
    await subscriber.emulateMedia({ colorScheme: scheme })
    expect(await shown.evaluate((element) => element.ownerDocument.documentElement.scrollWidth)).toBe(width)
  }
  await page.goto('/advertise/calendar')
  await page.getByRole('link', { name: /Brindle/ }).click()
  await expect(page.getByText(t('sponsorship.state.ran')).first()).toBeVisible()
  await expect(page.getByRole('link', { name: 'The tide' })).toBeVisible()
})

test('a slot shows the house campaign as soon as it is put into the text, and only the first of two slots has it', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const { id: newsletterId } = await createNewsletter(page, baseURL, language)
  const newsletter = `/api/newsletters/${newsletterId}`
  const headers = { origin: baseURL ?? '' }
  const post = async (rest: string, data: object) => {
    const answer = await page.request.post(`${newsletter}${rest}`, { data, headers })
    expect(answer.ok(), await answer.text()).toBe(true)
    return answer.json()
  }
  const known = { name: 'Cups', text: 'Cups for the wall.', label: 'See them' }
  for (const name of ['First', 'Second']) {
    const words = { name, disclosure: 'Presented by a sponsor' }
    await post('/sponsorship/placements', { words: { en: words, fr: words }, place: 'top', maxWords: 40 })
  }
  await post('/sponsorship/house-campaigns', {
    ...{ name: 'Cups', words: { en: known, fr: known } },
    target: 'https://own.example/',
  })
  const { id } = await post('/publications', { title: 'The tide' })
  await page.goto(`/publish/create/${id}`)
  const editor = new EditorScreen(page, t)
  await editor.text.click()
  await editor.type('The sea comes back.')
  await editor.press('Enter')
  const insert = async (placement: string) => {
    await page.getByRole('button', { name: t('editor.tool.more') }).click()
    await page.getByRole('menuitem', { name: placement, exact: true }).click()
    return editor.text.getByRole('group', { name: t('publish.slot.label', { placement }) })
  }
  const second = await insert('Second')
  await expect(second).toContainText('Cups for the wall.')
  const first = await insert('First')
  await expect(first).toContainText(t('publish.slot.nothing'))
  await expect(second).toContainText('Cups for the wall.')
})

test('from a booking of a coming day the way leads to its publication, and pre-flight warns of a slot that stays empty', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const newsletter = await createNewsletter(page, baseURL, language)
  const { bookingId, day } = await book(page, { newsletterId: newsletter.id, baseURL, later: 9 })
  const placement = language === 'fr' ? 'Tête' : 'Top'
  const of = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locales[language], { ...options, timeZone: 'UTC' }).format(new Date(day))
  const [short, long] = [
    of({ day: 'numeric', month: 'short' }),
    of({ day: 'numeric', month: 'short', year: 'numeric' }),
  ]

  await page.goto(`/advertise/calendar/${bookingId}`)
  const begin = page.getByRole('button', { name: t('sponsorship.ofDay.begin') })
  await expect(begin).toBeVisible()
  // What is to come cannot have run. On the day it is noted by few, so it comes last.
  const run = page.getByRole('button', { name: t('sponsorship.act.run') })
  await expect(run).toHaveCount(0)
  const today = await book(page, { newsletterId: newsletter.id, baseURL })
  await page.goto(`/advertise/calendar/${today.bookingId}`)
  await expect(run).toBeVisible()
  const names = await page.getByRole('main').getByRole('button').allTextContents()
  const placeOf = (name: string) => names.findIndex((one) => one.includes(name))
  expect(placeOf(t('sponsorship.act.run'))).toBeGreaterThan(placeOf(t('sponsorship.ofDay.begin')))
  await page.goto(`/advertise/calendar/${bookingId}`)
  await begin.click()
  const editor = new EditorScreen(page, t)
  const slot = editor.text.getByRole('group', { name: t('publish.slot.label', { placement }) })
  await expect(editor.text.locator(`p[data-hint="${t('publish.editor.hint')}"]`)).toHaveCount(1)
  // It was begun for the day of the booking, so that is what it shows, and what pre-flight begins with.
  await expect(slot).toContainText(t('publish.slot.day', { day: short }))
  await expect(slot).toContainText('Brindle twists ropes by hand.')
  // An earlier version stands for the same day.
  await page.getByRole('button', { name: t('editor.history.title') }).click()
  const history = page.getByRole('dialog', { name: t('editor.history.title') })
  await history.getByRole('list').getByRole('button').first().click()
  await expect(history.getByRole('group', { name: t('publish.slot.label', { placement }) })).toContainText(
    t('publish.slot.day', { day: short }),
  )
  await page.keyboard.press('Escape')
  await page.getByRole('textbox', { name: t('publish.editor.title'), exact: true }).fill('The tide')
  await page.getByRole('button', { name: t('publish.preview.title') }).click()
  const mail = page.frameLocator(`iframe[title="${t('publish.preview.email')}"]`)
  await expect(mail.getByText('Brindle twists ropes by hand.')).toBeVisible()
  await page.getByRole('button', { name: t('publish.preview.close') }).click()
  await page.getByRole('button', { name: t('publish.editor.preflight') }).click()
  await expect(page.getByRole('radio', { name: t('publish.when.at') })).toBeChecked()
  await expect(page.getByLabel(t('publish.when.date'), { exact: true })).toHaveValue(day)
  const elsewhere = await page.context().newPage()
  await elsewhere.goto(page.url())
  await expect(elsewhere.getByLabel(t('publish.when.date'), { exact: true })).toHaveValue(day)
  await elsewhere.close()
  await page.getByRole('radio', { name: t('publish.when.now') }).check()
  await page.goBack()
  // Without a day it says on which days it is sold.
  await expect(slot).toContainText(t('publish.slot.dayNone'))
  await expect(slot).not.toContainText(t('publish.slot.leftOut'))
  await expect(slot).toContainText(t('publish.slot.soldTo', { day: long, sponsors: 'Brindle' }))
  await page.getByRole('button', { name: t('publish.editor.preflight') }).click()
  // It would go out today, when nothing is sold.
  await expect(page.getByText(t('publish.slot.empty', { placement }), { exact: true })).toBeVisible()
  await page.goBack()
  await slot.getByRole('button', { name: t('publish.slot.plan', { day: long }) }).click()
  await expect(page.getByRole('radio', { name: t('publish.when.at') })).toBeChecked()
  await expect(page.getByLabel(t('publish.when.date'), { exact: true })).toHaveValue(day)
  await page.getByRole('button', { name: t('preFlight.all') }).click()
  await expect(page.getByText(t('publish.slot.carries', { placement, sponsor: 'Brindle' }))).toBeVisible()

  await page.goto(`/advertise/calendar/${bookingId}`)
  await page.getByRole('link', { name: t('publish.slot.plan', { day: short }) }).click()
  await expect(page.getByLabel(t('publish.when.date'), { exact: true })).toHaveValue(day)
})

test('a slot whose booking waits for its text says so once, and offers no other day', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const { id: newsletterId } = await createNewsletter(page, baseURL, language)
  const { placementId } = await book(page, { newsletterId, baseURL, hasText: false })
  const placement = language === 'fr' ? 'Tête' : 'Top'
  const content = {
    type: 'doc',
    content: [
      { type: 'paragraph', content: [{ type: 'text', text: 'The sea comes back.' }] },
      { type: 'sponsorSlot', attrs: { placementId } },
    ],
  }
  const data = { title: 'The tide', content }
  const made = await page.request.post(`/api/newsletters/${newsletterId}/publications`, {
    data,
    headers: { origin: baseURL ?? '' },
  })
  const { id } = await made.json()
  await page.goto(`/publish/create/${id}/send`)
  const reason = t('publish.slot.reason.paid')
  await expect(page.getByText(t('publish.slot.waitsEmpty', { reason }))).toBeVisible()
  await expect(page.getByText(t('publish.slot.empty', { placement }), { exact: true })).toHaveCount(0)
})
