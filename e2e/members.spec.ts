import { expect, test } from './fixtures.ts'
import { createNewsletter } from './owners.ts'

test('who leaves is asked in words of their own, and the only owner hears why they cannot', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  await createNewsletter(page, baseURL, language)
  await page.goto('/settings/members')
  await page.getByRole('button', { name: t('newsletters.members.leave'), exact: true }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText(t('newsletters.members.onlyOwner'))
  await expect(dialog.getByRole('button', { name: t('newsletters.members.leave'), exact: true })).toHaveCount(0)
  await dialog.getByRole('button', { name: t('newsletters.members.stay') }).click()
  await expect(dialog).toBeHidden()
})

test('on a phone the address of an invitation stands within the screen', async ({ page, t, language, baseURL }) => {
  await createNewsletter(page, baseURL, language)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/settings/members')
  await page.getByLabel(t('newsletters.members.email')).fill('guest@example.org')
  await page.getByRole('button', { name: t('newsletters.members.invite'), exact: true }).click()
  const copy = page.getByRole('status').getByRole('button', { name: t('ui.copy') })
  await expect(copy).toBeVisible()
  const box = await copy.boundingBox()
  expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThan(390)
})
