import { expect, test } from './fixtures.ts'
import { createNewsletter } from './owners.ts'

test('without a connection a page that shows nothing yet says so, keeps the way back, and mends itself', async ({
  page,
  context,
  t,
  language,
  baseURL,
}) => {
  const newsletter = await createNewsletter(page, baseURL, language)
  for (const title of ['Low tide', 'High tide']) {
    const headers = { origin: baseURL ?? '' }
    await page.request.post(`/api/newsletters/${newsletter.id}/publications`, { data: { title }, headers })
  }
  const title = page.getByRole('textbox', { name: t('publish.editor.title'), exact: true })
  const back = page.getByRole('link', { name: t('publish.editor.back') })
  await page.goto('/publish')
  // With the first one the parts of the page come onto the device; what the second one says is not there.
  await page.getByRole('link', { name: 'Low tide' }).first().click()
  await expect(title).toHaveValue('Low tide')
  await back.click()
  const second = page.getByRole('link', { name: 'High tide' }).first()
  await expect(second).toBeVisible()

  await context.setOffline(true)
  await second.click()
  await expect(page.getByText(t('ui.offline'))).toBeVisible()
  await back.click()
  // What was opened before is on this device, and can be written on.
  await page.getByRole('link', { name: 'Low tide' }).first().click()
  await expect(title).toHaveValue('Low tide')
  await back.click()
  await second.click()
  await expect(page.getByText(t('ui.offline'))).toBeVisible()
  await context.setOffline(false)
  await expect(title).toHaveValue('High tide')
  await expect(page.getByText(t('ui.offline'))).toHaveCount(0)

  // Of this page even the parts are not on the device.
  await back.click()
  await expect(second).toBeVisible()
  await context.setOffline(true)
  await page.getByRole('link', { name: t('shell.nav.outbox') }).click()
  await expect(page.getByText(t('ui.offline'))).toBeVisible()
  await expect(page.getByRole('link', { name: t('shell.backToDashboard') })).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByRole('heading', { name: t('shell.nav.outbox'), level: 1 })).toBeVisible()
})
