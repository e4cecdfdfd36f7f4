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
