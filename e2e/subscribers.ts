import { expect, type Page } from '@playwright/test'
import type { Translate } from '../server/translator.ts'
import { linkIn, readMail } from './caught-mail.ts'
import type { Newsletter } from './owners.ts'
import { uniqueAddress } from './unique-address.ts'

/** Fills the subscribe page in and sends it. The subscription is not confirmed yet. */
export async function requestSubscription(
  subscriber: Page,
  t: Translate,
  { newsletter, email }: { newsletter: Newsletter; email: string },
): Promise<void> {
  await subscriber.goto(newsletter.urls.subscribe)
  await subscriber.getByLabel(t('subscribers.page.email')).fill(email)
  await subscriber.getByRole('checkbox').check()
  await subscriber.getByRole('button', { name: t('subscribers.page.subscribe') }).click()
  await expect(subscriber.getByRole('heading', { name: t('page.caught.title') })).toBeVisible()
}

export interface Subscribing {
  /** The subscriber's browser. */
  subscriber: Page
  /** A page that is signed in as the owner, to read the caught mail. */
  owner: Page
  t: Translate
  newsletter: Newsletter
}

/** Subscribes, and confirms with the link in the caught mail. Returns the address. */
export async function subscribe({ subscriber, owner, t, newsletter }: Subscribing): Promise<string> {
  const email = uniqueAddress('subscriber')
  await requestSubscription(subscriber, t, { newsletter, email })
  await subscriber.goto(linkIn(await readMail(owner, newsletter.id, { to: email }), '/confirm/'))
  await subscriber.getByRole('button', { name: t('subscribers.page.confirm.button') }).click()
  await expect(subscriber.getByRole('heading', { name: t('subscribers.page.confirmed.title') })).toBeVisible()
  return email
}

/** Asks for the link to a subscriber's own page, and reads it in the mail. */
export async function ownPageOf(email: string, { subscriber, owner, t, newsletter }: Subscribing): Promise<string> {
  await subscriber.goto(`/subscribe/${newsletter.id}/me`)
  await subscriber.getByLabel(t('subscribers.page.email')).fill(email)
  await subscriber.getByRole('button', { name: t('own.ask.button') }).click()
  const subject = t('own.mail.subject', { newsletter: newsletter.name })
  return linkIn(await readMail(owner, newsletter.id, { to: email, subject }), '/me/')
}
