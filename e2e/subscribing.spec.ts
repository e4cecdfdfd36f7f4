import { expect } from '@playwright/test'
import { test } from './fixtures.ts'
import { createNewsletter } from './owners.ts'
import { uniqueAddress } from './unique-address.ts'

test('a form under pressure has the browser prove its work, under its strict policy, and says what to do without scripts', async ({
  page,
  subscriber,
  t,
  language,
  baseURL,
}) => {
  const { id, urls } = await createNewsletter(page, baseURL, language)
  const refused: string[] = []
  page.on('console', (message) => message.type() === 'error' && refused.push(message.text()))
  // More than usual, from many networks.
  const form = (at: number) => ({ email: `a${at}@example.org`, consent: 'yes', language })
  for (let at = 0; at < 61; at += 1)
    await page.request.post(`/subscribe/${id}`, {
      form: form(at),
      headers: { 'x-forwarded-for': `203.0.113.${at}` },
      maxRedirects: 0,
    })

  await subscriber.goto(urls.subscribe)
  // Playwright’s search by text leaves out what is for browsers without scripts.
  const instead = subscriber.locator('noscript p')
  await expect(instead).toBeVisible()
  await expect(instead).toContainText(t('subscribers.page.proof.noScript'))

  const response = await page.goto(urls.subscribe)
  const policy = response?.headers()['content-security-policy'] ?? ''
  expect(policy).not.toContain('unsafe')
  await page.getByLabel(t('subscribers.page.email')).fill(uniqueAddress('pressed'))
  await page.getByRole('checkbox').check()
  // At once, whether the proof is there or not.
  await page.getByRole('button', { name: t('subscribers.page.subscribe') }).click()
  await expect(page.getByRole('heading', { name: t('page.caught.title') })).toBeVisible()
  expect(refused).toEqual([])
})

test('an owner subscribes people at once, reads what it costs, and a mistyped domain is put right with one click', async ({
  page,
  subscriber,
  t,
  language,
  baseURL,
}) => {
  const { urls } = await createNewsletter(page, baseURL, language)
  await page.goto('/settings/subscribing')
  const optIn = page.getByRole('combobox', { name: t('newsletters.subscribing.optIn') })
  await optIn.click()
  await page.getByRole('option', { name: t('newsletters.subscribing.single') }).click()
  await expect(page.getByText(t('newsletters.subscribing.warningTitle'))).toBeVisible()
  await page
    .locator('form', { has: optIn })
    .getByRole('button', { name: t('ui.save') })
    .click()
  await expect(page.getByText(t('ui.saved'))).toBeVisible()

  const local = uniqueAddress('typo').split('@')[0] ?? ''
  await subscriber.goto(urls.subscribe)
  await expect(subscriber.getByText(t('subscribers.page.promise.kept'))).toBeVisible()
  await expect(subscriber.getByText(t('subscribers.page.promise.double'))).toHaveCount(0)
  await subscriber.getByLabel(t('subscribers.page.email')).fill(`${local}@gmial.com`)
  await subscriber.getByRole('checkbox').check()
  await subscriber.getByRole('button', { name: t('subscribers.page.subscribe') }).click()
  await subscriber
    .getByRole('button', { name: t('subscribers.page.meant.yes', { address: `${local}@gmail.com` }) })
    .click()
  await expect(subscriber.getByRole('heading', { name: t('subscribers.page.askedAtOnce.title') })).toBeVisible()

  await page.goto('/subscribers')
  await expect(page.getByRole('button', { name: `${local}@gmail.com` })).toBeVisible()
  await expect(page.getByText(`${local}@gmial.com`)).toBeHidden()
})
