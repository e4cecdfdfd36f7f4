import { expect, type Page } from '@playwright/test'
import { readMail } from './caught-mail.ts'
import { test } from './fixtures.ts'
import { createNewsletter, type Newsletter } from './owners.ts'
import { publish } from './publications.ts'
import { subscribe } from './subscribers.ts'

test.describe.configure({ timeout: 120_000 })

const ANSWER = 'smtp;550 5.1.1 The email account that you tried to reach does not exist.'

test('an owner restores one bounced reader, then all with the same answer, and not the one who complained', async ({
  page,
  subscriber,
  t,
  language,
  baseURL,
}) => {
  const newsletter = await createNewsletter(page, baseURL, language)
  const emails: string[] = []
  for (let i = 0; i < 4; i++) emails.push(await subscribe({ subscriber, owner: page, t, newsletter }))
  const { id } = await publish(page, { baseURL, newsletter, channel: 'everywhere' })
  const [one = '', other = '', third = '', complained = ''] = emails
  await report(page, { newsletter, publicationId: id, emails: [one, other, third], type: 'HardBounce', baseURL })
  await report(page, { newsletter, publicationId: id, emails: [complained], type: 'SpamComplaint', baseURL })

  const drawer = page.getByRole('dialog', { name: t('shell.titles.subscriber'), exact: true })
  const open = async (email: string) => {
    await page.goto('/subscribers')
    await page.getByRole('button', { name: email }).click()
    await expect(drawer.getByRole('heading', { name: t('subscribers.stopped.title') })).toBeVisible()
  }
  await open(one)
  await expect(drawer).toContainText(ANSWER)
  await drawer.getByRole('button', { name: t('subscribers.restore.one') }).click()
  const asking = page.getByRole('dialog', { name: t('subscribers.restore.ask', { email: one }) })
  await asking.getByLabel(t('subscribers.restore.reason')).fill('They wrote to me')
  await asking.getByRole('button', { name: t('subscribers.restore.one') }).click()
  await expect(asking).toBeHidden()
  await expect(drawer).toContainText('They wrote to me')
  await expect(drawer).toContainText(t('subscribers.state.active'))

  await page.goto('/subscribers')
  await page.getByLabel(t('subscribers.status')).first().click()
  await page.getByRole('option', { name: t('subscribers.state.bounced') }).click()
  await page.getByRole('button', { name: t('subscribers.restore.byAnswer') }).click()
  const groups = page.getByRole('dialog', { name: t('subscribers.restore.title') })
  await expect(groups).toContainText(ANSWER)
  await groups.getByRole('button', { name: t('subscribers.restore.one') }).click()
  await expect(groups.getByLabel(t('subscribers.restore.reason'))).toBeFocused()
  await groups.getByLabel(t('subscribers.restore.reason')).fill('The relay is repaired')
  await groups.getByRole('button', { name: t('subscribers.restore.many', { count: 2, n: '2' }) }).click()
  await expect(page.getByText(t('subscribers.restore.done', { count: 2, n: '2' }))).toBeVisible()
  await expect(groups).toContainText(t('subscribers.restore.none'))
  await open(third)
  await expect(drawer).toContainText('The relay is repaired')

  await open(complained)
  await expect(drawer).toContainText(t('subscribers.stopped.complainedText'))
  await expect(drawer.getByRole('button', { name: t('subscribers.restore.one') })).toBeHidden()
})

interface Report {
  newsletter: Newsletter
  publicationId: string
  emails: string[]
  type: 'HardBounce' | 'SpamComplaint'
  baseURL: string | undefined
}

/** Reports a bounce or a complaint of these readers, as a provider does. */
async function report(page: Page, { newsletter, publicationId, emails, type, baseURL }: Report): Promise<void> {
  const path = `/api/newsletters/${newsletter.id}`
  const headers = { origin: baseURL ?? '' }
  const way = { kind: 'postmark', messageStream: 'broadcast' }
  const data = { name: type, way, secret: 'server-token', webhookSecret: 'a password', enabled: false }
  const made = await page.request.post(`${path}/relays`, { data, headers })
  expect(made.ok(), await made.text()).toBe(true)
  const { id } = (await made.json()) as { id: string }
  const deliveries = `${path}/publications/${publicationId}/deliveries?state=caught&limit=100`
  const sent = async () => (await (await page.request.get(deliveries)).json()).rows as { email: string }[]
  await expect.poll(async () => (await sent()).length, 'the deliveries').toBeGreaterThanOrEqual(emails.length)
  for (const email of emails) {
    const mail = await readMail(page, newsletter.id, { to: email })
    const subscriber = /\/unsub\/[^/]+\/([\w-]+)/.exec(mail.header('List-Unsubscribe') ?? '')?.[1]
    const Metadata = { newsletter: newsletter.id, publication: publicationId, subscriber }
    const event = { RecordType: type === 'HardBounce' ? 'Bounce' : type, Type: type, Details: ANSWER, Metadata }
    const authorization = `Basic ${Buffer.from('tirage:a password').toString('base64')}`
    const told = await page.request.post(`/webhooks/relays/${id}`, { data: event, headers: { authorization } })
    expect(told.status(), await told.text()).toBe(200)
  }
}
