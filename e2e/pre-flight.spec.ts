import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { type Language, locales } from '../server/languages.ts'
import { linkIn, readMail } from './caught-mail.ts'
import { expect, test } from './fixtures.ts'
import { createNewsletter, type Newsletter } from './owners.ts'
import { shortContent } from './publications.ts'
import { subscribe } from './subscribers.ts'

test('before it is sent, a page says which links lead nowhere, which colours are hard to read, and how large the mail is', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const newsletter = await createNewsletter(page, baseURL, language)
  const headers = { origin: baseURL ?? '' }
  const linked = (text: string, href: string) => ({
    type: 'paragraph',
    content: [{ type: 'text', text, marks: [{ type: 'link', attrs: { href } }] }],
  })
  const pale = { type: 'text', text: 'Pale words', marks: [{ type: 'textStyle', attrs: { color: '#bbbbbb' } }] }
  const content = {
    type: 'doc',
    content: [
      linked('the harbour', 'http://127.0.0.1/harbour'),
      linked('who writes this', `${baseURL}/n/${newsletter.id}`),
      { type: 'paragraph', content: [pale] },
    ],
  }
  const api = `/api/newsletters/${newsletter.id}/publications`
  const made = await page.request.post(api, { data: { title: 'Low tide', content }, headers })
  const { id } = (await made.json()) as { id: string }

  await page.goto(`/publish/create/${id}/send`)
  await expect(page.getByText(t('preFlight.reach.bad', { count: 1, n: '1' }))).toBeVisible()
  const lines = page.getByRole('listitem')
  await expect(lines.filter({ hasText: t('preFlight.reach.answer.no_host') }).first()).toContainText('the harbour')
  await page.getByText(t('preFlight.reach.all', { count: 2, n: '2' })).click()
  await expect(page.getByText(t('preFlight.reach.answer.own'))).toBeVisible()
  await expect(page.getByText(t('preFlight.low_contrast', { count: 1, n: '1' }))).toBeVisible()
  await expect(page.getByText('Aa', { exact: true })).toHaveCSS('color', 'rgb(187, 187, 187)')
  await page.getByRole('button', { name: t('preFlight.all') }).click()
  await expect(page.getByText(t('preFlight.size.fineText'))).toBeVisible()
  // It has no image and no heading, so there is no tick for either.
  await expect(page.getByText(t('preFlight.ok.subject'))).toBeVisible()
  await expect(page.getByText(t('preFlight.ok.images'))).toHaveCount(0)
  await expect(page.getByText(t('preFlight.ok.headings'))).toHaveCount(0)
  // The preview is the light mail, whatever scheme the writer's own system has.
  await page.emulateMedia({ colorScheme: 'dark' })
  const covers: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/cover/')) covers.push(request.url())
  })
  await page.reload()
  const cover = page.frameLocator('iframe').locator('picture img')
  // It has no address before it is drawn, which waits for whatever else the machine does.
  await expect
    .poll(() => cover.evaluate((image: HTMLImageElement) => image.currentSrc), { timeout: 60_000 })
    .toMatch(/\.wide\.png$/)
  // Nor is the one of the night fetched, which would stand there until the other is drawn.
  expect(covers.filter((address) => !/\.wide\.png$/.test(address))).toEqual([])
  // What leads nowhere is for its writer to judge.
  await expect(page.getByRole('button', { name: t('publish.pass.button') })).toBeVisible()

  const changed = { type: 'doc', content: [linked('who writes this', `${baseURL}/n/${newsletter.id}`)] }
  const { revision } = await (await page.request.get(`${api}/${id}`)).json()
  const saved = await page.request.patch(`${api}/${id}`, { data: { revision, content: changed }, headers })
  expect(saved.ok(), await saved.text()).toBe(true)
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  await page.route('**/addresses/try', async (route) => {
    await answered
    await route.continue()
  })
  await page.reload()
  const trying = page.getByText(t('preFlight.reach.trying'))
  await expect(trying).toBeVisible()
  const pass = page.getByRole('button', { name: t('publish.pass.button') })
  await expect(page.getByText(t('preFlight.low_contrast', { count: 1, n: '1' }))).toBeHidden()
  const before = await pass.boundingBox()
  answer()
  await expect(trying).toBeHidden()
  // A finger that was on its way meets the button.
  expect(await pass.boundingBox()).toEqual(before)
  await page.getByRole('button', { name: t('preFlight.all') }).click()
  await expect(page.getByText(t('preFlight.reach.all', { count: 1, n: '1' }))).toBeVisible()
  await expect(page.getByText(t('preFlight.reach.bad', { count: 1, n: '1' }))).toBeHidden()
})

test('a letter with a reserved part is shown first as who does not pay reads it, and on the web only nobody gets a mail', async ({
  page,
  subscriber,
  t,
  language,
  baseURL,
}) => {
  const newsletter = await createNewsletter(page, baseURL, language)
  await subscribe({ subscriber, owner: page, t, newsletter })
  const paragraph = (text: string) => ({ type: 'paragraph', content: [{ type: 'text', text }] })
  const content = [paragraph('For everybody.'), { type: 'paywall' }, paragraph('For who pays.')]
  const id = await draft(page, { baseURL, newsletter, content })
  await page.goto(`/publish/create/${id}/send`)
  const proof = page.getByRole('region', { name: t('publish.send.proof') })
  const mail = proof.frameLocator('iframe')
  await expect(mail.getByText(t('paywall.title'))).toBeVisible()
  await expect(mail.getByText('For who pays.')).toHaveCount(0)
  await expect(proof.getByText(/For everybody\./)).toBeVisible()
  await expect(proof.getByText(/For who pays\./)).toHaveCount(0)
  const readBy = proof.getByLabel(t('publish.preview.reader'), { exact: true })
  await expect(readBy).toHaveValue('free')
  await readBy.selectOption('paid')
  await expect(mail.getByText('For who pays.', { exact: true })).toBeVisible()
  await expect(proof.getByText(/For who pays\./)).toBeVisible()

  const receive = page.getByText(t('preFlight.receive', { count: 1, n: '1' }))
  await expect(receive).toBeVisible()
  await expect(page.getByText(t('preFlight.caught'))).toBeVisible()
  await page.getByRole('radio', { name: t('publish.when.web') }).check()
  await expect(page.getByText(t('preFlight.nobody'), { exact: true })).toBeVisible()
  await expect(receive).toHaveCount(0)
  for (const ofMail of ['preFlight.caught', 'publish.send.subject'] as const)
    await expect(page.getByText(t(ofMail))).toHaveCount(0)

  await page.goto(`/publish/create/${id}/send?day=2090-01-07`)
  await expect(page.getByLabel(t('publish.when.time'), { exact: true })).toHaveValue('08:00')
})

test('what is shown in one place only is judged by where it goes, and what it lacks there is said', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const newsletter = await createNewsletter(page, baseURL, language)
  const only = (place: string) => ({
    type: 'onlyFor',
    attrs: { for: place },
    content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Twice a day.' }] }],
  })
  const web = page.getByRole('radio', { name: t('publish.when.web') })
  const button = page.getByRole('button', { name: t('publish.pass.button'), exact: true })
  const nothing = page.getByText(t('preFlight.empty_publication'))
  await page.goto(`/publish/create/${await draft(page, { baseURL, newsletter, content: [only('web')] })}/send`)
  await expect(nothing).toBeVisible()
  await web.check()
  await expect(nothing).toHaveCount(0)
  await expect(button).toBeEnabled()

  const note = { type: 'paragraph', content: [{ type: 'footnote', attrs: { note: [] } }] }
  await page.goto(`/publish/create/${await draft(page, { baseURL, newsletter, content: [only('email'), note] })}/send`)
  await expect(page.getByText(t('preFlight.nothing_on_web'))).toBeVisible()
  await web.check()
  await expect(nothing).toBeVisible()
  await expect(button).toBeDisabled()
  // Who follows a note without words is led to where it is written.
  await expect(page.getByText(t('preFlight.empty_note', { count: 1, n: '1' }))).toBeVisible()
  await page.getByRole('link', { name: t('preFlight.mend.empty_note', { count: 1 }), exact: true }).click()
  await expect(page.getByRole('textbox', { name: t('editor.note.words') })).toBeVisible()
})

test('a field that is not known of everybody blocks, with who would read nothing, until it has a fallback', async ({
  page,
  subscriber,
  t,
  language,
  baseURL,
}) => {
  const newsletter = await createNewsletter(page, baseURL, language)
  const reader = await subscribe({ subscriber, owner: page, t, newsletter })
  const name = { type: 'mergeTag', attrs: { field: 'name', fallback: '' } }
  const greeting = [{ type: 'text', text: 'Dear ' }, name, { type: 'text', text: ', welcome' }]
  const words = { type: 'paragraph', content: [{ type: 'text', text: 'The sea leaves twice a day.' }] }
  const before = Array.from({ length: 60 }, () => words)
  const content = [...before, { type: 'paragraph', content: greeting }, ...before]
  const id = await draft(page, { baseURL, newsletter, content })
  await page.goto(`/publish/create/${id}/send`)
  const blocked = page.getByRole('listitem').filter({
    hasText: t('preFlight.empty_merge_fields', { count: 1, n: '1', field: t('editor.node.fields.name') }),
  })
  await expect(blocked).toContainText(t('preFlight.examples', { addresses: reader }))
  const send = page.getByRole('button', { name: t('publish.pass.button') })
  await expect(send).toBeDisabled()
  await expect(page.getByText(t('publish.pass.blocked'))).toBeVisible()

  const mend = blocked.getByRole('link', { name: t('preFlight.mend.empty_merge_fields') })
  const fallback = page.getByLabel(t('editor.node.fallback'))
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 })
    await mend.click()
    await expect(fallback).toBeFocused()
    await expect(fallback).toBeInViewport({ ratio: 1 })
    await expect(page.locator('[data-merge-tag]')).toBeInViewport({ ratio: 1 })
    await page.goBack()
  }
  await mend.click()
  await expect(fallback).toBeFocused()
  await page.keyboard.type('dear reader')
  await fallback.press('Enter')
  await expect
    .poll(async () => JSON.stringify(await (await page.request.get(pathOf(newsletter, id))).json()))
    .toContain('dear reader')
  await page.goto(`/publish/create/${id}/send`)
  await expect(send).toBeEnabled()
  await expect(blocked).toHaveCount(0)
})

test('links that say nothing and a text in another language are named, and what mends them is one click away', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const newsletter = await createNewsletter(page, baseURL, language)
  const link = (text: string) => ({
    type: 'text',
    text,
    marks: [{ type: 'link', attrs: { href: 'http://127.0.0.1/tides' } }],
  })
  const words = {
    en: 'La marée vient deux fois par jour, et l’eau est froide. Il faut regarder la pendule, et pas la mer dans le port.',
    fr: 'The tide comes twice a day, and the water that it brings is cold. You have to look at the clock, and not at the sea.',
  }[language]
  const content = [
    { type: 'paragraph', content: [{ type: 'text', text: words }] },
    { type: 'paragraph', content: [link(language === 'en' ? 'Here' : 'Ici')] },
  ]
  const id = await draft(page, { baseURL, newsletter, content })
  await page.goto(`/publish/create/${id}/send`)
  const vague = page.getByRole('listitem').filter({ hasText: t('preFlight.vague_links', { count: 1, n: '1' }) })
  await expect(vague.locator('q')).toHaveText(language === 'en' ? 'Here' : 'Ici')
  await expect(vague).toContainText('http://127.0.0.1/tides')
  const names = { en: ['English', 'French'], fr: ['français', 'anglais'] }[language]
  const other = t('preFlight.other_language', { said: names[0] ?? '', written: names[1] ?? '' })
  await expect(page.getByText(other)).toBeVisible()
  await vague.getByRole('link', { name: t('preFlight.mend.vague_links', { count: 1 }) }).click()
  await expect(page).toHaveURL(`/publish/create/${id}`)
  await expect(page.getByRole('textbox', { name: t('publish.editor.text') })).toBeFocused()
  expect(await page.evaluate(() => getSelection()?.toString())).toBe(language === 'en' ? 'Here' : 'Ici')
  await page.goBack()
  await page
    .getByRole('listitem')
    .filter({ hasText: other })
    .getByRole('link', { name: t('preFlight.mend.other_language') })
    .click()
  await expect(page.getByRole('dialog', { name: t('editor.details.title') })).toBeVisible()
})

test('a way on speaks of one or of several, and leads into the field that is to be filled', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const newsletter = await createNewsletter(page, baseURL, language)
  const button = { type: 'button', attrs: { label: 'Tides', href: '', align: 'center' } }
  const image = {
    type: 'image',
    attrs: { mediaId: null, src: `${baseURL}/sea.png`, alt: '', caption: '', width: 'wide', href: null },
  }
  const link = (n: number) => ({
    type: 'text',
    text: language === 'en' ? 'Here' : 'Ici',
    marks: [{ type: 'link', attrs: { href: `http://127.0.0.1/${n}` } }],
  })
  const lines = (n: number) => [button, image, { type: 'paragraph', content: [link(n)] }]
  const ways = {
    en: [
      ['Say where it leads', 'Describe it', 'Name it'],
      ['Say where they lead', 'Describe them', 'Name them'],
    ],
    fr: [
      ['Dire où il mène', 'La décrire', 'Le nommer'],
      ['Dire où ils mènent', 'Les décrire', 'Les nommer'],
    ],
  }[language]
  for (const [n, names] of ways.entries()) {
    const content = [lines(1), lines(2)].slice(0, n + 1).flat()
    await page.goto(`/publish/create/${await draft(page, { baseURL, newsletter, content })}/send`)
    for (const name of names) await expect(page.getByRole('link', { name, exact: true })).toBeVisible()
  }
  const fields = [
    ['button_without_address', t('editor.tool.address')],
    ['alt_missing', t('editor.tool.alt')],
  ] as const
  for (const [code, label] of fields) {
    await page.getByRole('link', { name: t(`preFlight.mend.${code}`, { count: 2 }), exact: true }).click()
    const field = page.getByRole('textbox', { name: label, exact: true })
    await expect(field).toBeFocused()
    await expect(field).toBeInViewport({ ratio: 1 })
    await page.goBack()
  }
})

test('heavy images and a mail that Gmail clips are told with their sizes', async ({ page, t, language, baseURL }) => {
  const newsletter = await createNewsletter(page, baseURL, language)
  const images = [await upload(page, { baseURL, newsletter, edge: 40, name: 'light.jpg' })]
  const image = (mediaId: string) => ({
    type: 'image',
    attrs: { mediaId, src: null, alt: 'Sea', caption: '', width: 'wide', href: null },
  })
  const light = await draft(page, { baseURL, newsletter, content: images.map(image) })
  await page.goto(`/publish/create/${light}/send`)
  await page.getByRole('button', { name: t('preFlight.all') }).click()
  const weight = async (id: string) => {
    const headers = { origin: baseURL ?? '' }
    const answer = await page.request.post(`${pathOf(newsletter, id)}/addresses/try`, { data: {}, headers })
    return ((await answer.json()) as { images: { bytes: number } }).images.bytes
  }
  await expect(
    page.getByText(t('preFlight.images.fine', { count: 1, size: bytes(language, await weight(light)) })),
  ).toBeVisible()
  await expect(page.getByText(/102/)).toBeVisible()

  for (const name of ['one.jpg', 'two.jpg', 'three.jpg', 'four.jpg'])
    images.push(await upload(page, { baseURL, newsletter, edge: 1_600, name }))
  const long = { type: 'paragraph', content: [{ type: 'text', text: 'Twice a day. '.repeat(9_000) }] }
  const heavy = await draft(page, { baseURL, newsletter, content: [long, ...images.map(image)] })
  expect(await weight(heavy)).toBeGreaterThan(2 * 1024 * 1024)
  const checked = await (await page.request.get(`${pathOf(newsletter, heavy)}/check`)).json()
  const { bytes: html } = (checked as { mail: { bytes: number } }).mail
  expect(html).toBeGreaterThan(102 * 1024)
  await page.goto(`/publish/create/${heavy}/send`)
  const size = bytes(language, await weight(heavy))
  const line = page.getByRole('listitem').filter({ hasText: t('preFlight.images.heavy', { count: 5, size }) })
  await expect(line).toContainText('.jpg')
  await expect(line.getByRole('link', { name: t('preFlight.images.mend', { count: 5 }) })).toBeVisible()
  await expect(page.getByText(t('preFlight.too_long_for_gmail', { size: bytes(language, html) }))).toBeVisible()
})

test('whoever writes a first letter subscribes, confirms and sends it from its pre-flight, which shows only what asks for a look', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const newsletter = await createNewsletter(page, baseURL, language)
  const words = { type: 'text', text: language === 'en' ? 'The tide is low.' : 'La mer est basse.' }
  const id = await draft(page, { baseURL, newsletter, content: [{ type: 'paragraph', content: [words] }] })
  await page.goto(`/publish/create/${id}/send`)
  const fine = page.getByText(t('preFlight.ok.words'), { exact: true })
  const nobody = page.getByRole('listitem').filter({ hasText: t('preFlight.no_subscribers') })
  const pageLink = nobody.getByRole('link', { name: t('publish.firstReader.page') })
  await expect(pageLink).toHaveAttribute('href', newsletter.urls.subscribe)
  await expect(fine).toBeHidden()
  const all = page.getByRole('button', { name: t('preFlight.all') })
  await all.click()
  await expect(fine).toBeVisible()
  await page.getByRole('button', { name: t('preFlight.less') }).click()
  await expect(fine).toBeHidden()

  await page.getByRole('button', { name: t('publish.firstReader.myself') }).click()
  const asks = page.frameLocator('iframe').getByRole('link', { name: t('subscribers.mail.added.action') })
  await expect(asks).toBeVisible()
  const back = page.getByRole('link', { name: t('publish.backToPreFlight') })
  await expect(page.getByRole('main')).toContainText(t('outbox.confirmFirst'))
  await back.click()
  await expect(nobody).toContainText(t('publish.firstReader.waits', { count: 1, n: '1' }))
  await nobody.getByRole('link', { name: t('publish.firstReader.read') }).click()
  const opens = page.waitForEvent('popup')
  await asks.click()
  const confirming = await opens
  await confirming.getByRole('button', { name: t('subscribers.page.confirm.button') }).click()
  await expect(confirming.getByRole('heading', { name: t('subscribers.page.confirmed.title') })).toBeVisible()
  await back.click()
  await expect(page.getByText(t('preFlight.receive', { count: 1, n: '1' }))).toBeVisible()
  await expect(page.getByText(t('publish.send.clear', { count: 1, n: '1' }))).toBeVisible()
  await page.getByRole('button', { name: t('publish.pass.button') }).click()
  await expect(page.getByRole('link', { name: t('publish.press.readCaught') })).toBeVisible({ timeout: 20_000 })
})

test('how long sending takes is told once mail leaves', async ({ page, subscriber, t, language, baseURL }) => {
  const newsletter = await createNewsletter(page, baseURL, language)
  const { user } = (await (await page.request.get('/api/me')).json()) as { user: { email: string } }
  await page.goto(linkIn(await readMail(page, newsletter.id, { to: user.email }), '/verified'))
  await page.getByRole('button', { name: t('identity.verified.submit') }).click()
  await expect(page.getByRole('heading', { name: t('identity.verified.title') })).toBeVisible()
  for (let n = 0; n < 3; n++) await subscribe({ subscriber, owner: page, t, newsletter })
  const id = await draft(page, {
    baseURL,
    newsletter,
    content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Low.' }] }],
  })
  await page.goto(`/publish/create/${id}/send`)
  await expect(page.getByText(t('preFlight.caught'))).toBeVisible()
  await expect(page.getByText(t('publish.time.free'))).toHaveCount(0)

  const way = { kind: 'smtp', host: '127.0.0.1', port: 2525, security: 'none', username: null }
  const relays = `${baseURL}/api/newsletters/${newsletter.id}/relays`
  const headers = { origin: baseURL ?? '' }
  const added = await page.request.post(relays, { data: { name: 'Harbour', way }, headers })
  expect(added.ok(), await added.text()).toBe(true)
  const relay = ((await added.json()) as { id: string }).id
  await page.reload()
  await page.getByRole('button', { name: t('preFlight.all') }).click()
  await expect(page.getByText(t('publish.time.free'))).toBeVisible()
  const slow = await page.request.patch(`${relays}/${relay}`, { data: { perHour: 1 }, headers })
  expect(slow.ok(), await slow.text()).toBe(true)
  const checked = (await (await page.request.get(`${pathOf(newsletter, id)}/check`)).json()) as {
    sendingSeconds: number
  }
  expect(checked.sendingSeconds).toBeGreaterThan(0)
  await page.reload()
  await page.getByRole('button', { name: t('preFlight.all') }).click()
  const line = page.getByRole('listitem').filter({ hasText: t('publish.time.takes', { time: '' }).trim() })
  await expect(line).toContainText(language === 'en' ? /[0-9]+ (minute|hour)s?/ : /[0-9]+\s(minute|heure)s?/)
})

/** As the page writes it. */
function bytes(language: Language, count: number): string {
  const format = (unit: 'byte' | 'kilobyte' | 'megabyte', value: number) =>
    new Intl.NumberFormat(locales[language], {
      unitDisplay: unit === 'byte' ? 'narrow' : 'short',
      style: 'unit',
      unit,
      maximumFractionDigits: unit === 'megabyte' ? 1 : 0,
    }).format(value)
  if (count < 1024) return format('byte', count)
  return count < 1024 ** 2 ? format('kilobyte', count / 1024) : format('megabyte', count / 1024 ** 2)
}

interface Drafting {
  baseURL: string | undefined
  newsletter: Newsletter
  content: unknown[]
}

const pathOf = (newsletter: Newsletter, id: string) => `/api/newsletters/${newsletter.id}/publications/${id}`

async function draft(page: Page, { baseURL, newsletter, content }: Drafting): Promise<string> {
  const made = await page.request.post(`/api/newsletters/${newsletter.id}/publications`, {
    data: { title: 'Low tide', content: { type: 'doc', content } },
    headers: { origin: baseURL ?? '' },
  })
  expect(made.ok(), await made.text()).toBe(true)
  return ((await made.json()) as { id: string }).id
}

/** An image of noise, which nothing makes small. */
async function upload(
  page: Page,
  { baseURL, newsletter, edge, name }: Omit<Drafting, 'content'> & { edge: number; name: string },
): Promise<string> {
  const raw = { width: edge, height: edge, channels: 3 } as const
  const buffer = await sharp(randomBytes(edge * edge * 3), { raw })
    .jpeg({ quality: 90 })
    .toBuffer()
  const answer = await page.request.post(`/api/newsletters/${newsletter.id}/media`, {
    multipart: { file: { name, mimeType: 'image/jpeg', buffer } },
    headers: { origin: baseURL ?? '' },
  })
  expect(answer.ok(), await answer.text()).toBe(true)
  return ((await answer.json()) as { id: string }).id
}

test('a time that is over or too far away promises nothing beside the button that it turns off', async ({
  page,
  subscriber,
  t,
  language,
  baseURL,
}) => {
  const newsletter = await createNewsletter(page, baseURL, language)
  await subscribe({ subscriber, owner: page, t, newsletter })
  const made = await page.request.post(`/api/newsletters/${newsletter.id}/publications`, {
    data: { title: 'Low tide', content: shortContent },
    headers: { origin: baseURL ?? '' },
  })
  const { id } = (await made.json()) as { id: string }
  await page.goto(`/publish/create/${id}/send`)
  await page.getByRole('radio', { name: t('publish.when.at') }).check()
  const day = page.getByLabel(t('publish.when.date'), { exact: true })
  for (const given of ['2020-01-01', '']) {
    await day.fill(given)
    await expect(page.locator('#pass-words')).toHaveText(t('publish.pass.noTime'))
  }
  await day.fill('9999-12-31')
  await expect(page.getByText(t('publish.when.later'))).toHaveCount(2)
  await expect(page.locator('#pass-words')).toHaveText(t('publish.when.later'))
})
