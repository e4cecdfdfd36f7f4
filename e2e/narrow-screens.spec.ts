import type { Page } from '@playwright/test'
import { studioPaths } from '../server/http/studio-paths.ts'
import { compound, longArticle } from '../server/testing/long-article.ts'
import type { Translate } from '../server/translator.ts'
import { expect, test } from './fixtures.ts'
import { createNewsletter, type Newsletter } from './owners.ts'
import { openDraft, publish } from './publications.ts'
import { sell } from './sponsors.ts'
import { subscribe } from './subscribers.ts'

/** CSS pixels of a common phone. */
const phone = { width: 390, height: 844 }
const narrowest = { width: 320, height: 640 }

test('on a low screen the side bar scrolls, and crushes nothing in it', async ({ page, t, language, baseURL }) => {
  await createNewsletter(page, baseURL, language)
  await page.setViewportSize({ width: 1280, height: 480 })
  await page.goto('/settings/members')
  const begin = page.getByRole('button', { name: t('shell.newPublication') })
  await expect(begin).toBeVisible()
  expect((await begin.boundingBox())?.height).toBe(34)
})

test('long words, addresses, code and tables make neither the page nor the mail wider than a phone', async ({
  page,
  language,
  baseURL,
}) => {
  const newsletter = await createNewsletter(page, baseURL, language)
  const { id, url } = await publish(page, { baseURL, newsletter, title: `Port de ${compound}`, content: longArticle })
  await page.setViewportSize(phone)
  await page.route(/^https:/, (route) => route.abort())
  for (const address of [url, newsletter.urls.archive]) {
    await page.goto(address)
    await expect(page.getByRole('main')).toContainText(compound)
    await expectNoSidewaysScroll(page, address)
  }
  const headers = { origin: baseURL ?? '' }
  const path = `/api/newsletters/${newsletter.id}/publications/${id}/preview`
  const { email } = await (await page.request.post(path, { data: {}, headers })).json()
  // The policy of the page before would forbid the styles of the mail.
  await page.goto('about:blank')
  for (const width of [phone.width, 600]) {
    await page.setViewportSize({ ...phone, width })
    await page.setContent(email)
    await expect(page.getByText(compound).first()).toBeVisible()
    await expectNoSidewaysScroll(page, `the mail at ${width} pixels`)
  }
})

test('the search of the archive has a button that works without scripts on a phone', async ({
  page,
  subscriber,
  t,
  language,
  baseURL,
}) => {
  const newsletter = await createNewsletter(page, baseURL, language)
  for (const title of ['The harbour that waits', 'What the tide left'])
    await publish(page, { baseURL, newsletter, title })
  await subscriber.setViewportSize(phone)
  for (const colorScheme of ['light', 'dark'] as const) {
    await subscriber.emulateMedia({ colorScheme })
    await subscriber.goto(newsletter.urls.archive)
    const button = subscriber.getByRole('button', { name: t('publications.searchButton'), exact: true })
    const box = await button.boundingBox()
    expect(box?.height).toBeGreaterThanOrEqual(44)
    await subscriber.getByLabel(t('publications.search')).fill('lighthouse')
    await button.click()
    await expect(subscriber).toHaveURL(/\?q=lighthouse$/)
    await expect(subscriber.getByText(t('publications.noneFound', { search: 'lighthouse' }))).toBeVisible()
    await expectNoSidewaysScroll(subscriber, 'the archive')
  }
})

test('what sponsors can have next is read on a phone without moving anything sideways, by owners and by sponsors', async ({
  page,
  subscriber,
  t,
  language,
  baseURL,
}) => {
  const { id } = await createNewsletter(page, baseURL, language)
  await sell({ page, baseURL, newsletterId: id })
  const headers = { origin: baseURL ?? '' }
  for (const place of ['top', 'end']) {
    const name = place === 'top' ? 'Between two stories' : 'Anticonstitutionnellement'
    const words = { en: { name, disclosure: 'Ad' }, fr: { name, disclosure: 'Publicité' } }
    const data = { words, place, maxWords: 12, prices: { eur: 41_000 } }
    const added = await page.request.post(`/api/newsletters/${id}/sponsorship/placements`, { data, headers })
    expect(added.ok()).toBe(true)
  }
  await page.setViewportSize(phone)
  await page.goto('/advertise')
  const slots = page.getByRole('region', { name: t('sponsorship.nextSlotsByDay') })
  // Each part has a name of its own, by which somebody who hears the page finds it.
  await expect(page.getByRole('region', { name: t('sponsorship.nextSlots'), exact: true })).toHaveCount(1)
  await expect(slots.getByRole('button').first()).toBeVisible()
  await subscriber.setViewportSize(phone)
  await subscriber.goto(`/sponsor/${id}`)
  const days = subscriber.getByRole('region', { name: t('sponsors.page.slots') })
  await expect(days.getByRole('radio').first()).toBeVisible()
  for (const region of [slots, days])
    expect(await region.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
  for (const shown of [page, subscriber]) await expectNoSidewaysScroll(shown, shown.url())
})

test('on a phone, and at 320 pixels, which a large screen has at 400 %, no page moves sideways and no words of a button are cut', async ({
  page,
  subscriber,
  t,
  language,
  baseURL,
}) => {
  const newsletter = await createNewsletter(page, baseURL, language)
  await subscribe({ subscriber, owner: page, t, newsletter })
  const link = { type: 'link', attrs: { href: `https://example.org/${'long-address-'.repeat(9)}` } }
  const paragraph = { type: 'paragraph', content: [{ type: 'text', text: 'Low tide', marks: [link] }] }
  const content = { type: 'doc', content: [paragraph] }
  const { id } = await publish(page, { baseURL, newsletter, content, channel: 'everywhere' })
  await page.setViewportSize(narrowest)
  await page.goto(`/publish/${id}`)
  await expect(page.getByRole('link', { name: /^example\.org/ })).toBeVisible()
  await expectNoSidewaysScroll(page, 'a publication')
  for (const [address, shown] of [
    ['/advertise/placements', page.getByRole('textbox').first()],
    ['/advertise/rules', page.getByRole('button', { name: t('links.rulesPage.judge') })],
    ['/charge/figures', page.getByRole('radiogroup').first()],
    ['/advertise/recommendations', page.getByRole('main').getByRole('button').first()],
  ] as const) {
    await page.goto(address)
    await expect(shown).toBeVisible()
    for (const viewport of [phone, narrowest]) {
      await page.setViewportSize(viewport)
      await expectNoSidewaysScroll(page, address)
      expect(await page.locator('main :is(button, [role="radiogroup"])').evaluateAll(cut), address).toEqual([])
    }
  }
  await page.goto(`/publish/create/${id}`)
  const saved = page.getByText(t('editor.save.saved'), { exact: true })
  await expect(saved).toBeVisible()
  expect(await saved.evaluateAll(cut)).toEqual([])
  await expectNoSidewaysScroll(page, 'the editor')
})

test('the header of the editor and its bars stay in one row each, at 320 pixels and in a low window, and cut nothing', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const text = (words: string) => ({ type: 'paragraph', content: [{ type: 'text', text: words }] })
  const button = { type: 'button', attrs: { label: 'Come', href: 'https://sea.example/', align: 'center' } }
  const content = {
    type: 'doc',
    content: [text('Low tide.'), button, { type: 'onlyFor', attrs: { for: 'paid' }, content: [text('Whelks.')] }],
  }
  const { path } = await openDraft(page, { baseURL, language, content })
  const header = page.getByRole('banner')
  await page.setViewportSize(narrowest)
  await page.goto(path)
  const next = page.getByRole('button', { name: t('publish.editor.preflight') })
  await expect(next).toBeVisible()
  // The longest word of how it is saved.
  await page.route('**/api/newsletters/*/publications/*', (route) =>
    route.request().method() === 'PATCH' ? route.abort() : route.continue(),
  )
  await page.getByRole('textbox', { name: t('publish.editor.title'), exact: true }).fill('Low tide')
  const kept = header.getByText(t('editor.save.here'), { exact: true })
  await expect(kept).toBeVisible()
  const expectWhole = async () => {
    expect((await header.boundingBox())?.height).toBe(48)
    const controls = header.locator('a:visible, button:visible')
    expect(await controls.evaluateAll(cut)).toEqual([])
    const boxes = [...(await controls.evaluateAll(boxesOf)), await kept.evaluate(boxOf)]
    const inOrder = boxes.toSorted((one, other) => one.left - other.left)
    for (const [at, { top, right, bottom }] of inOrder.entries()) {
      expect(top).toBeGreaterThanOrEqual(0)
      expect(bottom).toBeLessThanOrEqual(48)
      expect(right).toBeLessThanOrEqual(inOrder[at + 1]?.left ?? page.viewportSize()?.width ?? 0)
    }
    await expectNoSidewaysScroll(page, 'the editor')
  }
  await expectWhole()
  await page.setViewportSize({ width: 720, height: 450 })
  await expectWhole()
  const bars = page.getByRole('region', { name: t('editor.tool.bars') })
  const height = async () => bars.evaluate((one) => [...one.children].map((bar) => bar.getBoundingClientRect().height))
  const editor = page.getByRole('textbox', { name: t('publish.editor.text'), exact: true })
  for (const block of [editor.getByText('Low tide.'), editor.getByText('Come'), editor.getByText('Whelks.')]) {
    await block.click()
    for (const bar of await height()) expect(bar).toBeLessThanOrEqual(54)
  }
  // What is wrong is read at once.
  await editor.getByText('Come').click()
  await page.getByRole('textbox', { name: t('editor.tool.address') }).fill('nowhere at all')
  await page.getByRole('textbox', { name: t('editor.node.label') }).focus()
  const wrong = page.getByRole('alert').filter({ hasText: t('editor.tool.notAnAddress') })
  await expect(wrong).toBeInViewport({ ratio: 1 })
  expect(await wrong.evaluate(isUncovered)).toBe(true)
  const address = page.getByRole('textbox', { name: t('editor.tool.address') })
  await address.focus()
  await expect.poll(() => address.evaluate(isUncovered)).toBe(true)
  for (const bar of await height()) expect(bar).toBeLessThanOrEqual(54)
})

test('at 720 pixels, which a screen of 1440 has at 200 %, no page of the owner app moves sideways and no words are cut', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const newsletter = await createNewsletter(page, baseURL, language)
  const ids = await oneOfEach(page, { newsletter, baseURL })
  await page.setViewportSize({ width: 720, height: 450 })
  await walk(page, t, {
    ids,
    look: async (path) => {
      await expectNoSidewaysScroll(page, path)
      expect(await page.locator('main :is(h1, button, [role="radiogroup"])').evaluateAll(cut), path).toEqual([])
    },
  })
})

test('names of one long word make no page of the owner app, and none that readers see, wider than a phone', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const word = (signs: number) => `https://example.org/${'Q'.repeat(signs - 20)}`
  const newsletter = await createNewsletter(page, baseURL, language)
  const named = await page.request.patch(`/api/newsletters/${newsletter.id}`, {
    data: { name: word(120), description: word(300) },
    headers: { origin: baseURL ?? '' },
  })
  expect(named.ok(), await named.text()).toBe(true)
  const ids = await oneOfEach(page, { newsletter, baseURL, word })
  await page.setViewportSize(phone)
  await walk(page, t, { ids, look: (path) => expectNoSidewaysScroll(page, path) })
  for (const path of ['subscribe', 'plans', 'n', 'sponsor'].map((part) => `/${part}/${newsletter.id}`)) {
    await page.goto(path)
    await expectNoSidewaysScroll(page, path)
  }
  await page.goto(`/optin/${ids.campaignId}`)
  await expectNoSidewaysScroll(page, 'the page of a campaign')
})

interface Walk {
  ids: Record<string, string>
  look: (path: string) => Promise<void>
}

/** Opens the pages of the owner app one after the other. */
async function walk(page: Page, t: Translate, { ids, look }: Walk): Promise<void> {
  await page.goto(studioPaths.dashboard)
  await expect(page.getByRole('main').getByRole('heading', { level: 1 }).first()).toBeVisible()
  await look(studioPaths.dashboard)
  const within = Object.values(studioPaths)
    .filter((path) => /^\/(dashboard|publish|subscribers|advertise|charge|settings|outbox|profile|help)/.test(path))
    .map((path) => path.replace(/:(\w+)/, (_, name: string) => ids[name] ?? name))
  // The settings lead to their first page, where the walk begins is looked at already, and the editor is another frame.
  const shown = within.filter((path) => !/^\/(settings|dashboard|publish\/create\/.*)$/.test(path))
  for (const path of shown) {
    // As a link does, because loading each page anew takes most of a second.
    await page.evaluate((to) => {
      for (const one of document.querySelectorAll<HTMLElement>('main h1')) one.dataset.before = ''
      history.pushState({ idx: 1 }, '', to)
      dispatchEvent(new PopStateEvent('popstate', { state: { idx: 1 } }))
    }, path)
    await expect(page.locator('main h1:not([data-before])').first(), path).toBeVisible()
    await expect(page.getByRole('main').getByRole('status', { name: t('ui.loading') })).toHaveCount(0)
    await look(path)
  }
  for (const path of within.filter((one) => one.startsWith('/publish/create/'))) {
    await page.goto(path)
    await expect(page.getByRole('main')).toContainText(/\S/)
    await look(path)
  }
}

interface OneOfEach {
  newsletter: Newsletter
  baseURL: string | undefined
  /** A name with so many signs, where what is usual is not asked for. */
  word?: (signs: number) => string
}

/** What each parameter of an address may be in a newsletter. */
async function oneOfEach(page: Page, { newsletter, baseURL, word }: OneOfEach): Promise<Record<string, string>> {
  const ask = async (address: string, data: object) => {
    const options = { data, headers: { origin: baseURL ?? '' } }
    const answer = await page.request.post(`/api/newsletters/${newsletter.id}${address}`, options)
    expect(answer.ok(), await answer.text()).toBe(true)
    return String((await answer.json()).id)
  }
  const named = (usual: string, signs: number) => word?.(signs) ?? usual
  const { bookingId } = await sell({ page, baseURL, newsletterId: newsletter.id })
  const title = named('The harbour that waits', 200)
  const publication = await publish(page, { baseURL, newsletter, channel: 'web', title })
  const plan = { name: named('Supporter', 60), promise: named('Every letter.', 280) }
  if (word) {
    await ask('/publications', { title })
    const words = { name: word(60), disclosure: word(80) }
    const placement = { words: { en: words, fr: words }, place: 'top', maxWords: 12, prices: { eur: 41_000 } }
    await ask('/sponsorship/placements', placement)
    await ask('/fields', { key: 'boat', label: word(60), kind: 'choice', choices: [word(100)] })
    await ask('/tags', { name: word(60) })
    await ask('/segments', { name: word(60), filter: { all: [{ on: 'name', op: 'contains', value: word(80) }] } })
  }
  return {
    ...{ bookingId, publicationId: publication.id, segmentId: 'new' },
    planId: word ? await ask('/charge/plans', { words: { en: plan, fr: plan } }) : 'new',
    subscriberId: await ask('/subscribers', {
      email: 'maelle.guillou.de.kersaint@exemple-de-domaine-long.example',
      ...(word && { name: word(120) }),
    }),
    importId: await ask('/imports', { fileName: named('anciens-abonnes-de-la-lettre.csv', 120), bytes: 12 }),
    campaignId: await ask('/opt-in-campaigns', { name: named('Promenades d’hiver à marée basse', 120) }),
    linkId: await ask('/links', { target: 'https://example.org/', name: named('Quai de la Criée', 120) }),
  }
}

/** The words of those whose content is wider than they are, and not in sight. */
const cut = (all: Element[]): string[] =>
  all
    .flatMap((one) => [one, ...one.querySelectorAll('span')])
    .filter((one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX !== 'visible')
    .map((one) => one.textContent ?? '')

/** Where its words are, also where they are larger than it. */
const boxOf = (one: Element) => {
  const range = document.createRange()
  range.selectNodeContents(one)
  const { left, top, right, bottom } = range.getBoundingClientRect()
  return { left, top, right, bottom }
}

/** Whether nothing lies over it, at its ends and in its middle. */
const isUncovered = (one: Element): boolean => {
  const { left, right, top, bottom } = one.getBoundingClientRect()
  const across = [left + 4, (left + right) / 2, right - 20]
  return across.every((x) => one.contains(document.elementFromPoint(x, (top + bottom) / 2)))
}

const boxesOf = (all: Element[]) =>
  all.map((one) => {
    const { left, top, right, bottom } = one.getBoundingClientRect()
    return { left, top, right, bottom }
  })

/** Of the document. A table of a page may scroll in its own region. Drawings are as wide as their place only once it is measured. */
async function expectNoSidewaysScroll(page: Page, name: string): Promise<void> {
  await expect
    .poll(() => page.locator('html').evaluate(({ scrollWidth }) => scrollWidth), name)
    .toBe(page.viewportSize()?.width)
}

test('on a phone nothing moves that has begun to be read', async ({ page, subscriber, t, language, baseURL }) => {
  const newsletter = await createNewsletter(page, baseURL, language)
  await subscribe({ subscriber, owner: page, t, newsletter })
  await sell({ page, baseURL, newsletterId: newsletter.id })
  await page.setViewportSize(phone)
  await page.addInitScript(() => {
    // After two seconds what is there is shown, and the rest moves it. A machine under load may take longer; this is about what waits.
    const wait = setTimeout
    Object.assign(window, { setTimeout: (run: () => void, ms?: number) => wait(run, ms === 2_000 ? 60_000 : ms) })
    const observer = new PerformanceObserver((list) => {
      for (const { value } of list.getEntries() as (PerformanceEntry & { value: number })[])
        document.documentElement.dataset.moved = String(Number(document.documentElement.dataset.moved ?? 0) + value)
    })
    observer.observe({ type: 'layout-shift', buffered: true })
  })
  for (const path of [studioPaths.subscribers, studioPaths.advertise, studioPaths.outbox, studioPaths.charge]) {
    await page.goto(path)
    await expect(page.getByRole('complementary', { name: t('dashboard.next') })).toBeVisible()
    await expect(page.getByRole('main')).not.toHaveAttribute('data-waits')
    await expect(page.getByRole('main').getByRole('status', { name: t('ui.loading') })).toHaveCount(0)
    // Of what is seen, times the way it went: web.dev/cls calls a tenth good.
    const moved = await page.evaluate(() => Number(document.documentElement.dataset.moved ?? 0))
    expect(moved, path).toBeLessThan(0.02)
  }
})

test('on a phone the form of sign-up stays where it is while a password is typed', async ({ page, t }) => {
  await page.setViewportSize(phone)
  await page.goto('/signup')
  const button = page.getByRole('button', { name: t('identity.signUp.submit') })
  const tops: (number | undefined)[] = []
  // No advice, one of a line and the longest.
  for (const [password, word] of [
    ['', 'none'],
    ['short', 'short'],
    ['password1234', 'common'],
    ['four words are easy', 'passphrase'],
  ] as const) {
    await page.getByLabel(t('identity.password'), { exact: true }).fill(password)
    await expect(page.getByText(t(`identity.strength.${word}`))).toBeVisible()
    tops.push((await button.boundingBox())?.y)
  }
  expect(new Set(tops)).toEqual(new Set([tops[0]]))
})
