import { expect, test } from './fixtures.ts'
import { createNewsletter } from './owners.ts'

test('a field that takes only the beginning of what is put into it says so', async ({ page, t, language, baseURL }) => {
  await createNewsletter(page, baseURL, language)
  await page.goto('/settings')
  const name = page.locator('[data-path="name"]')
  const said = page.getByText(t('ui.cut', { count: 120, n: '120' }))
  await name.fill('')
  await page.keyboard.insertText('a'.repeat(120))
  await expect(name).toHaveValue('a'.repeat(120))
  await expect(said).toBeHidden()
  await page.keyboard.insertText('b')
  await expect(said).toBeVisible()
  await expect(name).toHaveValue('a'.repeat(120))
})
