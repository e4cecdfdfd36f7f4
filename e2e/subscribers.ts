import { expect, type Page } from '@playwright/test'
import type { Translate } from '../server/translator.ts'
import { linkIn, readMail } from './caught-mail.ts'
import type { Newsletter } from './owners.ts'
import { uniqueAddress } from './unique-address.ts'

/** Asks for the newsletter on its public page, as anybody would. */
export async function requestSubscription(
  reader: Page,
  t: Translate,
  newsletter: Newsletter,
  email: string,
): Promise<void> {
  await reader.goto(newsletter.urls.subscribe)
  await reader.getByLabel(t('subscribers.page.email')).fill(email)
  await reader.getByRole('checkbox').check()
  await reader.getByRole('button', { name: t('subscribers.page.subscribe') }).click()
  await expect(reader.getByRole('heading', { name: t('subscribers.page.asked.title') })).toBeVisible()
}

/** Asks, and confirms from the mail that was caught. */
export async function subscribe(reader: Page, owner: Page, t: Translate, newsletter: Newsletter): Promise<string> {
  const email = uniqueAddress('reader')
  await requestSubscription(reader, t, newsletter, email)
  await reader.goto(linkIn(await readMail(owner, newsletter.id, { to: email }), '/confirm/'))
  await reader.getByRole('button', { name: t('subscribers.page.confirm.button') }).click()
  await expect(reader.getByRole('heading', { name: t('subscribers.page.confirmed.title') })).toBeVisible()
  return email
}
