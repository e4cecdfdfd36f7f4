import { expect, test } from './fixtures.ts'
import { createNewsletter } from './owners.ts'

test('who adds a condition, or a group of them, goes on in it', async ({ page, t, language, baseURL }) => {
  await createNewsletter(page, baseURL, language)
  await page.goto('/subscribers/segments/new')
  const subjects = page.getByRole('combobox', { name: t('segments.about'), exact: true })
  await expect(subjects).toHaveCount(1)
  await page.getByRole('button', { name: t('segments.addCondition'), exact: true }).press('Enter')
  await expect(subjects).toHaveCount(2)
  await expect(subjects.last()).toBeFocused()
  await page.getByRole('button', { name: t('segments.addGroup'), exact: true }).press('Enter')
  await expect(subjects).toHaveCount(3)
  await expect(subjects.last()).toBeFocused()
})
