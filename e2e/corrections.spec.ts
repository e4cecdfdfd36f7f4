import { EditorScreen } from './editor-screen.ts'
import { expect, test } from './fixtures.ts'
import { openDraft } from './publications.ts'

const shown = {
  en: { marks: 'It’s “low water”… here – now', quotes: ['“', '”'], title: 'It’s “low”' },
  fr: {
    marks: 'It’s «\u00a0low water\u00a0»… here – now',
    quotes: ['«\u00a0', '\u00a0»'],
    title: 'It’s «\u00a0low\u00a0»',
  },
}

test('marks that are typed become those of the language, one undo or Backspace takes that back, and code stays', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const { path, content } = await openDraft(page, { baseURL, language })
  const editor = new EditorScreen(page, t)
  const { marks, quotes } = shown[language]
  await page.goto(path)
  await editor.text.click()
  await editor.type(`It's "low water"... here -- now`)
  const first = editor.text.locator('p').first()
  await expect(first).toHaveText(marks, { useInnerText: true })

  await editor.press('Enter')
  const second = editor.text.locator('p').nth(1)
  await editor.type('Then "')
  await editor.press('Control+z')
  await expect(second).toHaveText('Then "')
  await editor.press('Control+Shift+z')
  await expect(second).toHaveText(`Then ${quotes[0]}`)
  await editor.press('Control+z')
  await editor.type('straight" and')
  await expect(second).toHaveText('Then "straight" and')
  await editor.type(" it'")
  await editor.press('Backspace')
  await editor.type('s')
  await expect(second).toHaveText(`Then "straight" and it's`)
  await editor.press('Backspace', 'Backspace')
  await expect(second).toHaveText('Then "straight" and it')

  await editor.press('Enter')
  await editor.type("`print('a...')` it's")
  await expect(editor.text.locator('code')).toHaveText("print('a...')")
  await expect(editor.text.locator('p').nth(2)).toHaveText("print('a...') it’s")
  await editor.press('Enter')
  await editor.type("`npm`'s ")
  await expect(editor.text.locator('p').nth(3)).toHaveText('npm’s', { useInnerText: true })
  await editor.press('Control+e')
  await editor.type(`a="x"`)
  await expect(editor.text.locator('code').nth(2)).toHaveText('a="x"')
  await editor.press('Control+e')
  await editor.type(' "')
  await expect(editor.text.locator('p').nth(3)).toContainText(`a="x" ${quotes[0]}`)
  await editor.press('Enter')
  await editor.type('``` it\'s -- "x"...')
  await expect(editor.text.locator('pre')).toHaveText('it\'s -- "x"...')
  await editor.paste(`<p>Pasted isn't "changed"</p>`, `Pasted isn't "changed"`)
  await expect.poll(content).toContain(`Pasted isn't`)
  expect(await content()).toContain("print('a...')")
})

test('titles, notes and labels get them too, and the browser takes them back', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const { path, content } = await openDraft(page, { baseURL, language })
  const editor = new EditorScreen(page, t)
  const { title, quotes } = shown[language]
  await page.goto(path)
  await editor.title.fill('')
  await editor.title.pressSequentially(`It's "low"`)
  await expect(editor.title).toHaveValue(title)
  await editor.title.press('Control+z')
  await expect(editor.title).toHaveValue(title.replace(quotes[1] ?? '', '"'))
  await expect(editor.title).toBeFocused()
  await editor.text.click()
  await editor.type('See')
  const inserts = page.getByRole('toolbar', { name: t('editor.tool.insert') })
  await inserts.getByRole('button', { name: t('editor.node.footnote') }).click()
  const note = page.getByRole('textbox', { name: t('editor.note.words') })
  await note.pressSequentially(`It's "low"`)
  await expect(note).toHaveText(title)
  await expect.poll(content).toContain(title)
  await editor.press('Backspace')
  await expect(note).toHaveText(title.replace(quotes[1] ?? '', '"'))
})
