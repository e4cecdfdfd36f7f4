import { expect } from '@playwright/test'
import { maskAddress } from '../server/subscribers/address.ts'
import { linkIn, readMail } from './caught-mail.ts'
import { test } from './fixtures.ts'
import { createNewsletter } from './owners.ts'
import { ownPageOf, subscribe } from './subscribers.ts'
import { uniqueAddress } from './unique-address.ts'

test('a subscriber chooses a digest on their own page; the owner sees it, moves its hour, and stops offering it', async ({
  page,
  subscriber,
  t,
  language,
  baseURL,
}) => {
  const newsletter = await createNewsletter(page, baseURL, language)
  const email = await subscribe({ subscriber, owner: page, t, newsletter })
  const mailed = await ownPageOf(email, { subscriber, owner: page, t, newsletter })
  await subscriber.goto(mailed)
  await subscriber.getByRole('radio', { name: t('digests.readersPace.weekly') }).check()
  await subscriber.getByRole('button', { name: t('own.save') }).click()
  await expect(subscriber.getByRole('status')).toHaveText(t('own.notice.saved'))
  await expect(subscriber.getByRole('radio', { name: t('digests.readersPace.weekly') })).toBeChecked()

  await page.goto('/settings/subscribing')
  const settings = page.getByRole('region', { name: t('digests.title') })
  const weekly = settings.locator('div', { has: page.getByText(t('digests.next.weekly'), { exact: true }) }).last()
  await expect(weekly).toContainText(t('digests.to', { count: 1, n: '1' }))
  await settings.getByRole('combobox', { name: t('digests.hour') }).click()
  await page.getByRole('option', { name: /^0?6[: ]/ }).click()
  await settings.getByRole('button', { name: t('ui.save') }).click()
  await expect(page.getByText(t('ui.saved'))).toBeVisible()
  await expect(weekly.locator('b')).toContainText(language === 'fr' ? /6\sh/ : '06:00')

  await settings.getByRole('switch', { name: t('digests.offer') }).uncheck({ force: true })
  await settings.getByRole('button', { name: t('ui.save') }).click()
  await expect(settings.getByText(t('digests.next.weekly'))).toBeHidden()
  await subscriber.goto(mailed)
  await expect(subscriber.getByRole('radio', { name: t('digests.readersPace.every') })).toBeChecked()
  await expect(subscriber.getByRole('radio', { name: t('digests.readersPace.weekly') })).toBeHidden()
})

test('a subscriber moves to another address by a mail to it, and the one before takes it back', async ({
  page,
  subscriber,
  t,
  language,
  baseURL,
}) => {
  const newsletter = await createNewsletter(page, baseURL, language)
  const before = await subscribe({ subscriber, owner: page, t, newsletter })
  const after = uniqueAddress('moved')
  await subscriber.goto(await ownPageOf(before, { subscriber, owner: page, t, newsletter }))
  await subscriber.getByLabel(t('own.move.label')).fill(after)
  await subscriber.getByRole('button', { name: t('own.move.button') }).click()
  await expect(subscriber.getByRole('status')).toContainText(t('own.notice.movingCaught', { to: after }))

  await subscriber.goto(linkIn(await readMail(page, newsletter.id, { to: after }), '/move/'))
  await subscriber.getByRole('button', { name: t('own.movePage.to.button') }).click()
  await expect(subscriber.getByRole('heading', { name: t('own.movePage.done.title') })).toBeVisible()
  await expect(subscriber.getByText(maskAddress(after))).toBeVisible()
  await page.goto('/subscribers')
  await expect(page.getByRole('button', { name: after })).toBeVisible()
  await expect(page.getByText(before)).toBeHidden()

  const told = { to: before, subject: t('own.moveMail.told.subject', { newsletter: newsletter.name }) }
  await subscriber.goto(linkIn(await readMail(page, newsletter.id, told), '/move/'))
  await subscriber.getByRole('button', { name: t('own.movePage.back.button') }).click()
  await expect(subscriber.getByRole('heading', { name: t('own.movePage.done.title') })).toBeVisible()
  await page.goto('/subscribers')
  await expect(page.getByRole('button', { name: before })).toBeVisible()
  // A link that was used is none.
  await subscriber.goBack()
  await subscriber.reload()
  await expect(subscriber.getByRole('heading', { name: t('own.movePage.ended.title') })).toBeVisible()
})
