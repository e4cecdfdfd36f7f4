import type { Page } from '@playwright/test'
import type { DocumentNode } from '../server/publications/document/schema.ts'
import { linkIn, readMail } from './caught-mail.ts'
import { EditorScreen } from './editor-screen.ts'
import { expect, test } from './fixtures.ts'
import { type Newsletter, newOwner, newslettersOf, signUp } from './owners.ts'
import { requestSubscription } from './subscribers.ts'
import { uniqueAddress } from './unique-address.ts'
import { linkTarget, writeWithEveryControl } from './write-publication.ts'

test('an owner signs up, writes and sends; a subscriber unsubscribes and comes back', async ({
  page,
  subscriber,
  t,
  baseURL,
}) => {
  // About 300 actions of a person: 45 s on an idle machine, more than twice that when both cores are busy.
  test.setTimeout(240_000)
  const email = uniqueAddress('subscriber')

  await page.goto('/')
  await signUp(page, t, { owner: newOwner(), newsletter: 'Low Water' })
  await expect(page).toHaveURL('/dashboard')
  const [newsletter] = (await newslettersOf(page)) as [Newsletter]
  await page.goto('/settings/sender')
  await page.getByLabel(t('newsletters.sender.postal')).fill('4 quai de la Criée, 29770 Audierne')
  await page.getByLabel(t('newsletters.sender.takeBack')).fill('0')
  await page.getByRole('button', { name: t('ui.save') }).click()
  await expect.poll(() => postalAddress(page, newsletter.id)).toContain('Audierne')
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()

  await test.step('a visitor subscribes without scripts, and confirms from the mail', async () => {
    await requestSubscription(subscriber, t, { newsletter, email })
    const asked = await readMail(page, newsletter.id, { to: email })
    expect(asked.parsed.subject).toBe(t('subscribers.mail.confirm.subject', { newsletter: 'Low Water' }))
    expect(asked.text).toContain(linkIn(asked, '/confirm/'))
    await subscriber.goto(linkIn(asked, '/confirm/'))
    expect(await activeSubscribers(page, newsletter.id)).toBe(0)
    await subscriber.getByRole('button', { name: t('subscribers.page.confirm.button') }).click()
    await expect(subscriber.getByRole('heading', { name: t('subscribers.page.confirmed.title') })).toBeVisible()
  })

  await test.step('the dashboard shows the subscriber without a reload', async () => {
    await expect(subscriberCount(page, t('dashboard.subscribers'))).toHaveText('1')
  })

  const written = await test.step('the owner writes a publication with every control of the toolbar', async () => {
    await page
      .getByRole('button', { name: t('shell.newPublication') })
      .first()
      .click()
    await expect(page).toHaveURL(/\/publish\/create\/\w+/)
    await writeWithEveryControl(new EditorScreen(page, t), t)
    const id = page.url().split('/').at(-1) ?? ''
    await expect
      .poll(() => missingFormats(page, newsletter.id, id), 'formats missing in the saved document')
      .toEqual([])
    return id
  })

  await test.step('the owner previews, checks and sends it', async () => {
    await page.getByRole('button', { name: t('publish.preview.title') }).click()
    const frame = page.frameLocator(`iframe[title="${t('publish.preview.email')}"]`)
    await expect(frame.getByText('The harbour that waits').first()).toBeVisible()
    await page.getByRole('button', { name: t('publish.preview.close') }).click()
    await page.getByRole('button', { name: t('publish.editor.preflight') }).click()
    await page.getByRole('button', { name: t('publish.pass.button') }).click()
    await expect(page).toHaveURL(`/publish/${written}`)
    await expect.poll(() => statusOf(page, newsletter.id, written)).toBe('sent')
  })

  const mail = await readMail(page, newsletter.id, { to: email, subject: /The harbour that waits/ })
  await test.step('the mail has the required headers and the whole content', () => {
    expect(mail.header('List-Unsubscribe')).toMatch(new RegExp(`<${baseURL}/unsub/[^>]+>`))
    expect(mail.header('List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click')
    expect(mail.header('List-Id')).toMatch(/Low Water.*<.+>/)
    expect(mail.header('Message-ID')).toMatch(/^<[^<>@\s]+@[^<>@\s]+>$/)
    expect(mail.header('Content-Type')).toMatch(/^multipart\/alternative/)
    expect(mail.parsed.to?.[0]).toMatchObject({ address: email })
    expect(mail.text).toContain('The table tells you the moon’s opinion.')
    for (const sign of [
      '<strong',
      '<em',
      '<u',
      '<s',
      '<sub',
      '<sup',
      '<h1',
      '<h6',
      '<blockquote',
      '<pre',
      '<ol',
      '<ul',
      '<table',
    ]) {
      expect(mail.html, sign).toContain(sign)
    }
    for (const style of ['#b3231d', '#f5de8a', 'Fraunces', 'rtl', 'center']) expect(mail.html, style).toContain(style)
    expect(mail.html).toContain('alt="A harbour at low water"')
    expect(mail.html).toContain('4 quai de la Criée')
    expect(mail.html).not.toContain(linkTarget)
  })

  await test.step('a short link redirects, and its click appears live', async () => {
    await expect(page.getByRole('row', { name: /harbour\.example/ })).toContainText('0')
    const short = linkIn(mail, '/r/')
    const answer = await subscriber.request.get(short, { maxRedirects: 0, headers: { 'user-agent': userAgent } })
    expect(answer.status()).toBe(302)
    expect(answer.headers()['cache-control']).toContain('no-store')
    await expect(page.getByRole('row', { name: /1/ }).filter({ hasText: '.example' })).toBeVisible()
    await page.goto('/dashboard')
    const caught = t('dashboard.caught', { count: 1, number: '1' })
    await expect(page.getByRole('row', { name: /The harbour that waits/ })).toContainText(caught)
  })

  await test.step('one-click unsubscribe works, and the count falls live', async () => {
    const count = subscriberCount(page, t('dashboard.subscribers'))
    await expect(count).toHaveText('1')
    const address = /<(https?:[^>]+)>/.exec(mail.header('List-Unsubscribe') ?? '')?.[1] ?? ''
    await subscriber.request.get(address)
    expect(await activeSubscribers(page, newsletter.id)).toBe(1)
    const left = await subscriber.request.post(address, { form: { 'List-Unsubscribe': 'One-Click' }, maxRedirects: 0 })
    expect(left.status()).toBe(200)
    await expect(count).toHaveText('0')
    await subscriber.goto(`/unsub/${address.split('/unsub/')[1]}`)
    await subscriber.goto(address)
    await subscriber
      .getByRole('button', { name: t('subscribers.consent.return', { newsletter: newsletter.name }) })
      .click()
    await expect(count).toHaveText('1')
  })
})

const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

/** The number of subscribers under the heading of the dashboard. */
const subscriberCount = (page: Page, name: string) =>
  page
    .locator('div', { has: page.getByRole('heading', { level: 1, name }) })
    .last()
    .locator('span')
    .filter({ hasText: /^[\d\s,]+$/u })

const everyFormat = [
  ...['bold', 'italic', 'underline', 'strike', 'subscript', 'superscript', 'link'],
  ...['heading1', 'heading2', 'heading3', 'heading4', 'heading5', 'heading6'],
  ...['blockquote', 'codeBlock', 'orderedList', 'bulletList', 'indent', 'dir:rtl', 'textAlign:center'],
  ...['size:small', 'size:large', 'size:huge', 'color:#b3231d', 'backgroundColor:#f5de8a', 'font:fraunces'],
  ...['image', 'video', 'table'],
]

/** The formats that the saved document does not have. */
async function missingFormats(page: Page, newsletterId: string, id: string): Promise<string[]> {
  const { content } = await publicationOf(page, newsletterId, id)
  const kinds = new Set<string>()
  const visit = (node: DocumentNode): void => {
    kinds.add(node.type === 'heading' ? `heading${node.attrs?.level}` : node.type)
    if (Number(node.attrs?.indent) > 0) kinds.add('indent')
    for (const name of ['dir', 'textAlign']) if (node.attrs?.[name]) kinds.add(`${name}:${node.attrs[name]}`)
    for (const { type, attrs } of node.marks ?? []) {
      kinds.add(type)
      for (const [name, value] of Object.entries(attrs ?? {})) if (value) kinds.add(`${name}:${value}`)
    }
    node.content?.forEach(visit)
  }
  visit(content)
  return everyFormat.filter((kind) => !kinds.has(kind))
}

async function publicationOf(page: Page, newsletterId: string, id: string) {
  const answer = await page.request.get(`/api/newsletters/${newsletterId}/publications/${id}`)
  return (await answer.json()) as { status: string; content: DocumentNode }
}

const statusOf = async (page: Page, newsletterId: string, id: string) =>
  (await publicationOf(page, newsletterId, id)).status

async function activeSubscribers(page: Page, newsletterId: string): Promise<number> {
  const answer = await page.request.get(`/api/newsletters/${newsletterId}/subscribers?status=active`)
  return ((await answer.json()) as { total: number }).total
}

async function postalAddress(page: Page, newsletterId: string): Promise<string> {
  const answer = await page.request.get(`/api/newsletters/${newsletterId}`)
  return ((await answer.json()) as { postalAddress: string }).postalAddress
}
