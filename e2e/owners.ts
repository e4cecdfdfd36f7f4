import { expect, type Page } from '@playwright/test'
import type { Language } from '../server/languages.ts'
import type { Translate } from '../server/translator.ts'
import { linkIn, readMail } from './caught-mail.ts'
import { uniqueAddress } from './unique-address.ts'

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

export const newOwner = (): Owner => ({
  name: 'Inès Kerbrat',
  email: uniqueAddress('ines'),
  password: 'four words are easy',
})

/** Fills the sign-up form and waits until it is gone. */
export async function signUp(
  page: Page,
  t: Translate,
  { owner, newsletter = '' }: { owner: Owner; newsletter?: string },
): Promise<void> {
  await page.getByLabel(t('identity.name'), { exact: true }).fill(owner.name)
  await page.getByLabel(t('identity.email')).fill(owner.email)
  await page.getByLabel(t('identity.password'), { exact: true }).fill(owner.password)
  if (newsletter) {
    const ofNew = page.getByLabel(t('identity.firstNewsletter'))
    await ofNew.or(page.getByLabel(t('identity.signUp.keepName'))).fill(newsletter)
  }
  await page.getByRole('button', { name: t('identity.signUp.submit') }).click()
  await expect(page.getByRole('heading', { name: t('identity.signUp.title') })).toBeHidden()
}

/** Creates an account and a newsletter through the API, and signs the page in, for journeys that start later. */
export async function createNewsletter(
  page: Page,
  baseURL: string | undefined,
  language: Language,
): Promise<Newsletter> {
  const headers = { origin: baseURL ?? '' }
  const { email, name, password } = newOwner()
  const signedUp = await page.request.post('/api/auth/sign-up/email', { data: { email, name, password }, headers })
  expect(signedUp.ok(), await signedUp.text()).toBe(true)
  const made = await page.request.post('/api/newsletters', {
    data: { name: 'Low Water', language, timezone: 'Europe/Paris', currency: 'eur' },
    headers,
  })
  expect(made.ok(), await made.text()).toBe(true)
  const newsletter = (await made.json()) as Newsletter
  const patched = await page.request.patch(`/api/newsletters/${newsletter.id}`, {
    // What a journey sends leaves at once, but where taking it back is what it is about.
    data: { postalAddress: '4 quai de la Criée, 29770 Audierne', takeBackSeconds: 0 },
    headers,
  })
  expect(patched.ok(), await patched.text()).toBe(true)
  return newsletter
}

/** The newsletters of the signed-in user. */
export async function newslettersOf(page: Page): Promise<Newsletter[]> {
  const answer = await page.request.get('/api/newsletters')
  return ((await answer.json()) as { newsletters: Newsletter[] }).newsletters
}

/** Opens the link of the mail that confirms an address, in the browser of whoever signed up, and presses its button. */
export async function confirmAddress(page: Page, t: Translate, { email }: Pick<Owner, 'email'>): Promise<void> {
  const [newsletter] = await newslettersOf(page)
  const mail = await readMail(page, newsletter?.id ?? '', { to: email })
  await page.goto(linkIn(mail, '/verified'))
  await expect(page.getByText(t('identity.verified.askLead', { email }))).toBeVisible()
  await page.getByRole('button', { name: t('identity.verified.submit') }).click()
  await expect(page.getByRole('heading', { name: t('identity.verified.title') })).toBeVisible()
}
