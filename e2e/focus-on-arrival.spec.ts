import { expect, test } from './fixtures.ts'
import { createNewsletter } from './owners.ts'
import { openDraft } from './publications.ts'

test('what the palette leads to begins where the page begins', async ({ page, t, language, baseURL }) => {
  await createNewsletter(page, baseURL, language)
  await page.goto('/dashboard')
  await page.getByRole('link', { name: t('shell.nav.settings'), exact: true }).focus()
  await page.keyboard.press('ControlOrMeta+k')
  await expect(page.getByRole('combobox', { name: t('shell.goTo') })).toBeFocused()
  await page.keyboard.type(t('shell.titles.calendar'))
  await expect(page.getByRole('option', { name: t('shell.titles.calendar') }).first()).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/advertise\/calendar/)
  await expect(page.getByRole('main')).toBeFocused()
})

test('who goes back from pre-flight to the editor is where its text begins, and the tab says on which page they are', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const content = { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'The tide.' }] }] }
  const { path } = await openDraft(page, { baseURL, language, content })
  await page.goto(`${path}/send`)
  await expect(page).toHaveTitle(`${t('publish.send.title')} · A draft · Low Water · Tirage`)
  await page.getByRole('link', { name: t('publish.send.back'), exact: true }).press('Enter')
  await expect(page.getByRole('textbox', { name: t('publish.editor.title'), exact: true })).toBeVisible()
  await expect(page.getByRole('main')).toBeFocused()
  await expect(page).toHaveTitle(`${t('publish.menu.edit')} · A draft · Low Water · Tirage`)
})
