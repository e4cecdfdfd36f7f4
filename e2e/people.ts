import { randomBytes } from 'node:crypto'
import { expect, type Page } from '@playwright/test'
import type { Translate } from '../server/languages.ts'
import { linkIn, readMail } from './mail.ts'

export interface Owner {
  name: string
  email: string
  password: string
}

export interface Newsletter {
  id: string
  name: string
  urls: { subscribe: string; archive: string; feed: string }
}

/** An address that nobody else has. */
export const anAddress = (who: string) => `${who}.${randomBytes(6).toString('hex')}@readers.example`

export const anOwner = (): Owner => ({
  name: 'Inès Kerbrat',
  email: anAddress('ines'),
  password: 'four words are easy',
})

/** Fills the sign-up form and waits for the first page behind it. */
export async function signUp(page: Page, t: Translate, owner: Owner, newsletter: string): Promise<void> {
  await page.getByLabel(t('identity.name'), { exact: true }).fill(owner.name)
  await page.getByLabel(t('identity.email')).fill(owner.email)
  await page.getByLabel(t('identity.password'), { exact: true }).fill(owner.password)
  const first = page.getByLabel(t('identity.firstNewsletter'))
  if (await first.isVisible()) await first.fill(newsletter)
  await page.getByRole('button', { name: t('identity.signUp.submit') }).click()
  await expect(page.getByRole('heading', { name: t('identity.signUp.title') })).toBeHidden()
}

/** An account and a newsletter by API, for journeys that begin later. The page is signed in. */
export async function settle(page: Page, baseURL: string | undefined, language: 'en' | 'fr'): Promise<Newsletter> {
  const headers = { origin: baseURL ?? '' }
  const { email, name, password } = anOwner()
  const signedUp = await page.request.post('/api/auth/sign-up/email', { data: { email, name, password }, headers })
  expect(signedUp.ok(), await signedUp.text()).toBe(true)
  const made = await page.request.post('/api/newsletters', {
    data: { name: 'Low Water', language, timezone: 'Europe/Paris', currency: 'eur' },
    headers,
  })
  expect(made.ok(), await made.text()).toBe(true)
  const newsletter = (await made.json()) as Newsletter
  const patched = await page.request.patch(`/api/newsletters/${newsletter.id}`, {
    data: { postalAddress: '4 quai de la Criée, 29770 Audierne' },
    headers,
  })
  expect(patched.ok(), await patched.text()).toBe(true)
  return newsletter
}

/** The newsletters of whoever is signed in. */
export async function newslettersOf(page: Page): Promise<Newsletter[]> {
  const answer = await page.request.get('/api/newsletters')
  return ((await answer.json()) as { newsletters: Newsletter[] }).newsletters
}

/** Asks for the newsletter on its public page, as anybody would. */
export async function ask(reader: Page, t: Translate, newsletter: Newsletter, email: string): Promise<void> {
  await reader.goto(newsletter.urls.subscribe)
  await reader.getByLabel(t('subscribers.page.email')).fill(email)
  await reader.getByRole('checkbox').check()
  await reader.getByRole('button', { name: t('subscribers.page.subscribe') }).click()
  await expect(reader.getByRole('heading', { name: t('subscribers.page.asked.title') })).toBeVisible()
}

/** Asks, and confirms from the mail that was caught. */
export async function join(reader: Page, owner: Page, t: Translate, newsletter: Newsletter): Promise<string> {
  const email = anAddress('reader')
  await ask(reader, t, newsletter, email)
  await reader.goto(linkIn(await readMail(owner, newsletter.id, { to: email }), '/confirm/'))
  await reader.getByRole('button', { name: t('subscribers.page.confirm.button') }).click()
  await expect(reader.getByRole('heading', { name: t('subscribers.page.confirmed.title') })).toBeVisible()
  return email
}

/** A publication on the web, by API; in the inboxes too where there are any. */
export async function publishOnWeb(
  page: Page,
  baseURL: string | undefined,
  newsletter: Newsletter,
  channel: 'web' | 'everywhere' = 'web',
): Promise<{ id: string; url: string }> {
  const headers = { origin: baseURL ?? '' }
  const path = `/api/newsletters/${newsletter.id}/publications`
  const content = {
    type: 'doc',
    content: [
      { type: 'paragraph', content: [{ type: 'text', text: 'Twice a day the harbour runs out of sea.' }] },
      { type: 'heading', attrs: { level: 2 }, content: [{ type: 'text', text: 'Four metres' }] },
      { type: 'paragraph', content: [{ type: 'text', text: 'Then it comes back.' }] },
    ],
  }
  const made = await page.request.post(path, { data: { title: 'The harbour that waits', content }, headers })
  expect(made.ok(), await made.text()).toBe(true)
  const { id } = (await made.json()) as { id: string }
  const sent = await page.request.post(`${path}/${id}/send`, { data: { channel }, headers })
  expect(sent.ok(), await sent.text()).toBe(true)
  await expect
    .poll(async () => (await (await page.request.get(`${path}/${id}`)).json()).url, 'the address on the web')
    .toBeTruthy()
  return (await (await page.request.get(`${path}/${id}`)).json()) as { id: string; url: string }
}
