import { EditorScreen } from './editor-screen.ts'
import { expect, test } from './fixtures.ts'
import { openDraft } from './publications.ts'

const text = (words: string) => ({ type: 'text', text: words })
const paragraph = (...content: object[]) => ({ type: 'paragraph', content })

test('Ctrl+Enter on a selected block leads into its settings, Escape back to it, and Enter and what is typed then go below it', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const button = { type: 'button', attrs: { label: 'Come', href: 'https://sea.example/', align: 'center' } }
  const { path, content } = await openDraft(page, {
    baseURL,
    language,
    content: {
      type: 'doc',
      content: [paragraph(text('Low tide.')), button, { type: 'divider', attrs: { kind: 'dots' } }, paragraph()],
    },
  })
  const editor = new EditorScreen(page, t)
  await page.goto(path)
  await editor.text.locator('p').first().click()
  await editor.image('Sea')
  const alt = page.getByRole('textbox', { name: t('editor.tool.alt'), exact: true })
  await expect(alt).toBeFocused()
  await editor.press('Escape')
  await expect(editor.text).toBeFocused()
  const selected = editor.text.locator('.ProseMirror-selectednode')
  await expect(selected).toHaveAttribute('data-figure', 'image')

  await editor.press('Control+Enter')
  await expect(alt).toBeFocused()
  // From any control of the bar, and not only from its fields.
  await editor.press('Tab', 'Tab')
  await expect(page.getByRole('radio', { name: t('editor.node.widths.normal'), exact: true })).toBeFocused()
  await editor.press('Escape')
  await expect(editor.text).toBeFocused()

  // Between two blocks is a place for the caret.
  await editor.press('ArrowDown', 'ArrowDown')
  await expect(selected).toHaveAttribute('data-button-block', '')
  await editor.press('Control+Enter')
  await expect(page.getByRole('textbox', { name: t('editor.node.label'), exact: true })).toBeFocused()
  await editor.press('Escape', 'ArrowDown', 'ArrowDown')
  await expect(selected).toHaveAttribute('data-divider', 'dots')
  await editor.press('Control+Enter')
  const kind = (name: 'dots' | 'rule') =>
    page.getByRole('radio', { name: t(`editor.tool.dividers.${name}`), exact: true })
  await expect(kind('dots')).toBeFocused()
  await editor.press('Escape')
  await expect(editor.text).toBeFocused()
  // An empty paragraph below takes the words.
  await editor.type('Below it.')
  await expect(editor.text.locator('[data-divider] + p')).toHaveText('Below it.')
  await expect(editor.text.locator('p')).toHaveCount(2)
  await expect.poll(content).toContain('Below it.')

  // Between a block and one that follows it, Enter makes room.
  await editor.press('ArrowUp', 'ArrowUp', 'ArrowUp')
  await expect(selected).toHaveAttribute('data-button-block', '')
  await editor.press('Enter')
  await editor.type('Between them.')
  await expect(editor.text.locator('[data-button-block] + p')).toHaveText('Between them.')
  await expect(editor.text.locator('p + [data-divider]')).toHaveCount(1)
})

test('Ctrl+Enter on the reader’s name leads into its settings, Escape behind it, and in a table back to the cell', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const cell = { type: 'tableCell', content: [paragraph(text('Tide'))] }
  const { path } = await openDraft(page, {
    baseURL,
    language,
    content: {
      type: 'doc',
      content: [
        paragraph(text('Hello '), { type: 'mergeTag', attrs: { field: 'name', fallback: '' } }, text(' there')),
        { type: 'table', content: [{ type: 'tableRow', content: [cell] }] },
      ],
    },
  })
  const editor = new EditorScreen(page, t)
  await page.goto(path)
  const chip = editor.text.locator('[data-merge-tag]')
  await chip.click()
  await editor.press('Control+Enter')
  const field = page.getByRole('radio', { name: t('editor.node.fields.name'), exact: true })
  await expect(field).toBeFocused()
  await editor.press('Escape')
  await expect(editor.text).toBeFocused()
  await editor.type(',')
  await expect(chip).toHaveCount(1)
  await expect(editor.text.locator('p').first()).toHaveText(/^Hello .+, there$/)

  await editor.text.locator('td').click()
  await editor.press('End', 'Alt+F10', 'Tab')
  await expect(page.getByRole('button', { name: t('editor.node.rowAbove') })).toBeFocused()
  await editor.press('Escape')
  await expect(editor.text).toBeFocused()
  await editor.type('!')
  await expect(editor.text.locator('td')).toHaveText('Tide!')

  await page.goto('/help')
  await expect(page.getByText(t('help.keys.settings'))).toBeVisible()
  await expect(page.getByText(t('help.keys.tools'))).toBeVisible()
})

test('a key right behind a click acts where was clicked, and not on what was selected before', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const tag = { type: 'mergeTag', attrs: { field: 'name', fallback: 'you' } }
  const { path } = await openDraft(page, {
    baseURL,
    language,
    content: { type: 'doc', content: [paragraph(text('Hello '), tag, text(' there')), paragraph(text('The tide'))] },
  })
  const editor = new EditorScreen(page, t)
  await page.goto(path)
  const chip = editor.text.locator('[data-merge-tag]')
  const last = editor.text.locator('p').last()
  const pressAtEnd = async (key: string) => {
    await chip.click()
    await expect(chip).toHaveClass(/ProseMirror-selectednode/)
    const box = await last.boundingBox()
    if (!box) throw new Error('The last line is not on the screen.')
    await page.mouse.click(box.x + box.width - 4, box.y + box.height / 2)
    await page.keyboard.press(key)
    await expect(chip).toHaveCount(1)
  }
  await pressAtEnd('x')
  await expect(last).toHaveText('The tidex')
  await pressAtEnd('Backspace')
  await expect(last).toHaveText('The tide')
  await pressAtEnd('Enter')
  await expect(editor.text.locator('p')).toHaveText([/^Hello .+ there$/, 'The tide', ''])
  await pressAtEnd('/')
  await expect(page.getByRole('listbox', { name: t('editor.tool.insert') })).toBeVisible()
})
