import { EditorScreen } from './editor-screen.ts'
import { expect, test } from './fixtures.ts'
import { openDraft } from './publications.ts'

test('a new button asks for its address, says what is wrong with it, keeps what was typed and leads back to the text', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const { path, content } = await openDraft(page, { baseURL, language })
  const editor = new EditorScreen(page, t)
  await page.goto(path)
  await editor.text.click()
  await editor.type(`/${t('editor.tool.button')}`)
  await expect(page.getByRole('listbox').getByRole('option').first()).toHaveText(t('editor.tool.button'))
  await editor.press('Enter')
  const address = page.getByRole('textbox', { name: t('editor.tool.address'), exact: true })
  await expect(address).toBeFocused()
  await expect(address).toBeInViewport({ ratio: 1 })

  await editor.type('vigicrues')
  await expect(address).toHaveAccessibleDescription('')
  await editor.press('Enter')
  await expect(address).toBeFocused()
  await expect(address).toHaveAccessibleDescription(t('editor.tool.notAnAddress'))
  await expect(page.getByRole('alert').getByText(t('editor.tool.notAnAddress'))).toBeInViewport({ ratio: 1 })
  await expect(address).toBeInViewport({ ratio: 1 })
  await editor.press('Escape')
  await expect(editor.text).toBeFocused()
  await editor.type('Below it.')
  await expect.poll(content).toContain('Below it.')

  await editor.text.getByText(t('editor.tool.buttonLabel')).click()
  await expect(address).toHaveValue('vigicrues')
  await expect(address).toHaveAccessibleDescription(t('editor.tool.notAnAddress'))
  await address.press('End')
  await editor.type('.gouv.fr')
  await expect(address).toHaveAccessibleDescription('')
  await editor.press('Enter')
  await expect(editor.text).toBeFocused()
  await expect.poll(content).toContain('"href":"https://vigicrues.gouv.fr"')
})
