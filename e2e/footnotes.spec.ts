import type { Locator } from '@playwright/test'
import { EditorScreen } from './editor-screen.ts'
import { expect, test } from './fixtures.ts'
import { newslettersOf } from './owners.ts'
import { openDraft } from './publications.ts'

const paragraph = (...content: object[]) => ({ type: 'paragraph', content })
const text = (words: string) => ({ type: 'text', text: words })

test('a note is put into the text with the keyboard, written beside it, numbered by itself and taken back', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const { path, content } = await openDraft(page, { baseURL, language })
  const editor = new EditorScreen(page, t)
  await page.goto(path)
  const marks = editor.text.locator('[data-footnote]')
  const bubble = page.getByRole('dialog', { name: t('editor.node.footnote') })
  const words = bubble.getByRole('textbox', { name: t('editor.note.words') })
  const insert = async () => {
    await page
      .getByRole('toolbar', { name: t('editor.tool.insert') })
      .getByRole('button', { name: t('editor.node.footnote') })
      .click()
    await expect(words).toBeFocused()
  }
  await editor.text.click()
  await editor.type('The tide turns')
  await insert()
  await editor.type('Twice a day, ')
  await editor.press('Control+i')
  await editor.type('mostly')
  await editor.press('Escape')
  await expect(bubble).toBeHidden()
  await expect(editor.text).toBeFocused()
  await editor.type(' and waits.')
  await expect.poll(content).toContain('{"text":"mostly","type":"text","marks":[{"type":"italic"}]}')
  await expect(editor.text.locator('p').first()).toHaveText('The tide turns and waits.')

  // A second one above it is the first now: numbers are places.
  await editor.press('Home')
  await insert()
  await editor.type('See boots.example')
  await editor.press('Shift+Control+ArrowLeft', 'Shift+Control+ArrowLeft', 'Shift+Control+ArrowLeft')
  await bubble.getByRole('button', { name: t('editor.tool.link') }).click()
  await bubble.getByRole('textbox', { name: t('editor.tool.address') }).fill('boots.example/high')
  await editor.press('Enter')
  await expect(words).toBeFocused()
  await editor.press('Enter')
  await expect(editor.text).toBeFocused()
  await expect.poll(content).toContain('https://boots.example/high')
  const first = () => marks.evaluateAll((all) => all.map((each) => each.getAttribute('title')?.split(' ')[0]))
  await expect(marks).toHaveCount(2)
  expect(await first()).toEqual(['See', 'Twice'])

  // The arrow keys select a mark, Enter leads into its note.
  await editor.press('Home', 'ArrowRight')
  await expect(bubble).toBeVisible()
  await expect(editor.text).toBeFocused()
  await editor.press('Enter')
  await expect(words).toBeFocused()
  await editor.press('End')
  await editor.type(' now')
  await expect.poll(content).toContain(' now')
  await editor.press('Control+z')
  await expect(words).not.toContainText(' now')
  await expect(words).toBeFocused()
  await editor.press('Escape', 'Backspace')
  // The first press selects the mark, as of every block; the second removes it.
  if ((await marks.count()) === 2) await editor.press('Backspace')
  await expect(marks).toHaveCount(1)
  await editor.press('Control+z')
  await expect(marks).toHaveCount(2)
  await marks.nth(1).click()
  await expect(words).toHaveText('Twice a day, mostly')
  await expect(words).toBeFocused()
})

test('who leaves a small window of the editor types on at once, where the caret was', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const { path } = await openDraft(page, {
    baseURL,
    language,
    content: { type: 'doc', content: [paragraph(text('The tide'))] },
  })
  const editor = new EditorScreen(page, t)
  await page.goto(path)
  const line = editor.text.locator('p').first()
  const tools = page.getByRole('toolbar', { name: t('editor.tool.formatting') })
  const open = async (label: string): Promise<Locator> => {
    await tools.getByRole('button', { name: label }).click()
    return page.getByRole('dialog', { name: label })
  }
  /** What has the focus when the press is over, before the browser draws again. */
  const focusAfter = (button: Locator) =>
    button.evaluate((dom: HTMLElement) => {
      dom.click()
      return document.activeElement?.getAttribute('aria-label')
    })
  const inText = t('publish.editor.text')
  await line.click()
  await editor.press('End')

  const inserts = page.getByRole('toolbar', { name: t('editor.tool.insert') })
  await inserts.getByRole('button', { name: t('editor.node.footnote') }).click()
  await expect(page.getByRole('textbox', { name: t('editor.note.words') })).toBeFocused()
  await editor.type('Twice a day.')
  expect(await focusAfter(page.getByRole('button', { name: t('editor.note.done') }))).toBe(inText)
  await editor.type(' turns, see ')
  await expect(line).toHaveText('The tide turns, see ')

  const link = await open(t('editor.tool.link'))
  await link.getByLabel(t('editor.tool.address'), { exact: true }).fill('boots.example')
  expect(await focusAfter(link.getByRole('button', { name: t('editor.tool.apply') }))).toBe(inText)
  await editor.type(' now')
  await expect(line).toHaveText('The tide turns, see boots.example now')

  const color = await open(t('editor.tool.color'))
  expect(await focusAfter(color.getByRole('button', { name: '#b3231d', exact: true }))).toBe(inText)
  await editor.type(' or never')
  await expect(line).toHaveText('The tide turns, see boots.example now or never')

  // Who opens a window with the keyboard is in the text after it too, and back at its button when they change their mind.
  await editor.press('Alt+F10')
  const button = tools.getByRole('button', { name: t('editor.tool.link') })
  await button.focus()
  await editor.press('Enter')
  await expect(link.getByLabel(t('editor.tool.address'), { exact: true })).toBeFocused()
  await editor.press('Escape')
  await expect(link).toBeHidden()
  await expect(button).toBeFocused()
  await editor.press('Enter')
  await expect(link.getByLabel(t('editor.tool.address'), { exact: true })).toBeFocused()
  await editor.type('sea.example')
  await editor.press('Enter')
  await expect(link).toBeHidden()
  await expect(editor.text).toBeFocused()
  await editor.type('!')
  await expect(line).toHaveText('The tide turns, see boots.example now or neversea.example!')
})

test('a slash behind words notes the word before it', async ({ page, t, language, baseURL }) => {
  const { path, content } = await openDraft(page, { baseURL, language })
  const editor = new EditorScreen(page, t)
  await page.goto(path)
  await editor.text.click()
  await editor.type(`We saw twelve. /${t('editor.node.footnote')}`)
  await expect(page.getByRole('listbox', { name: t('editor.tool.insert') })).toContainText(t('editor.node.footnote'))
  await editor.press('Enter')
  await editor.type('From the quay.')
  await editor.press('Escape')
  await editor.type(' Then dusk came.')
  await expect(editor.text.locator('p').first()).toHaveText(/^We saw twelve\.\d? Then dusk came\.$/)
  await expect.poll(content).toContain('From the quay.')
})

test('the slash offers a note too, and copied text keeps its notes', async ({ page, t, language, baseURL }) => {
  const note = { type: 'footnote', attrs: { note: [text('Kept.')] } }
  const { path, content } = await openDraft(page, {
    baseURL,
    language,
    content: { type: 'doc', content: [paragraph(text('Boots'), note), paragraph()] },
  })
  const editor = new EditorScreen(page, t)
  await page.goto(path)
  const marks = editor.text.locator('[data-footnote]')
  await expect(marks).toHaveCount(1)
  await editor.text.locator('p').last().click()
  await editor.type(`/${t('editor.node.footnote')}`)
  const options = page.getByRole('listbox', { name: t('editor.tool.insert') }).getByRole('option')
  await expect(options).toHaveText([t('editor.node.footnote')])
  await editor.press('Enter')
  await expect(page.getByRole('textbox', { name: t('editor.note.words') })).toBeFocused()
  await editor.type('From the slash.')
  await editor.press('Escape')
  await expect.poll(content).toContain('From the slash.')

  await editor.press('Control+a')
  const copied = await editor.text.evaluate((dom) => {
    const data = new DataTransfer()
    dom.dispatchEvent(new ClipboardEvent('copy', { clipboardData: data, bubbles: true, cancelable: true }))
    return { html: data.getData('text/html'), plain: data.getData('text/plain') }
  })
  expect(copied.plain).toContain('Boots [Kept.]')
  await editor.press('ArrowRight', 'Enter')
  await editor.paste(copied.html)
  await expect(marks).toHaveCount(4)
  // A note that somebody made up elsewhere is words at most.
  const forged = [{ type: 'text', text: 'x', marks: [{ type: 'link', attrs: { href: 'javascript:1' } }] }]
  await editor.paste(`<p>a<span data-footnote='${JSON.stringify(forged)}'>x</span></p>`)
  await expect(marks).toHaveCount(5)
  await expect(marks.last()).toHaveAttribute('data-empty', '')
})

for (const width of [1440, 390])
  test(`the bubble of a note and its page fit a screen ${width} wide`, async ({ page, t, language, baseURL }) => {
    await page.setViewportSize({ width, height: 844 })
    const note = { type: 'footnote', attrs: { note: [text(`Twice a day. ${'https://example.org/'.repeat(9)}`)] } }
    const { path } = await openDraft(page, {
      baseURL,
      language,
      content: { type: 'doc', content: [paragraph(text('The tide turns, as everybody knows'), note)] },
    })
    const editor = new EditorScreen(page, t)
    await page.goto(path)
    await editor.text.locator('[data-footnote]').click()
    const bubble = page.getByRole('dialog', { name: t('editor.node.footnote') })
    await expect(bubble).toBeInViewport({ ratio: 1 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
  })

test('a paste that is too long for a note is refused in words, and what stood there stays', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const note = { type: 'footnote', attrs: { note: [text('Kept.')] } }
  const { path } = await openDraft(page, {
    baseURL,
    language,
    content: { type: 'doc', content: [paragraph(text('Boots'), note)] },
  })
  const editor = new EditorScreen(page, t)
  await page.goto(path)
  await editor.text.locator('[data-footnote]').click()
  const words = page.getByRole('textbox', { name: t('editor.note.words') })
  await expect(words).toBeFocused()
  await words.evaluate((dom, long) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', long)
    dom.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, 'tide '.repeat(500))
  const limit = new Intl.NumberFormat(language === 'fr' ? 'fr-FR' : 'en-GB').format(2000)
  await expect(page.getByRole('alert')).toHaveText(t('editor.note.tooLong', { n: limit, parts: '100' }))
  await expect(words).toHaveText('Kept.')
})

test('a mark that is typed into a full note changes nothing of it', async ({ page, t, language, baseURL }) => {
  const full = `${'tide '.repeat(399)}ends.`
  const note = { type: 'footnote', attrs: { note: [text(full)] } }
  const { path } = await openDraft(page, {
    baseURL,
    language,
    content: { type: 'doc', content: [paragraph(text('Boots'), note)] },
  })
  const editor = new EditorScreen(page, t)
  await page.goto(path)
  await editor.text.locator('[data-footnote]').click()
  const words = page.getByRole('textbox', { name: t('editor.note.words') })
  await expect(words).toBeFocused()
  await editor.press('Home', 'ArrowRight', 'ArrowRight')
  await editor.type(`'"`)
  await expect(page.getByRole('alert')).toBeVisible()
  await expect(words).toHaveText(full)
})

test('who may not edit reads the notes below the text, and an earlier version has its own', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const note = (words: string) => ({ type: 'footnote', attrs: { note: words ? [text(words)] : [] } })
  const { path } = await openDraft(page, {
    baseURL,
    language,
    content: { type: 'doc', content: [paragraph(text('Boots'), note('Of leather.'), note(''), note('Or rubber.'))] },
  })
  const editor = new EditorScreen(page, t)
  await page.goto(path)
  const mark = (words: string) => editor.text.getByRole('note', { name: t('editor.note.mark', { words }), exact: true })
  await expect(mark('Of leather.')).toBeVisible()
  await expect(editor.text.getByRole('note', { name: t('editor.note.empty') })).toBeVisible()
  const list = page.getByRole('list', { name: t('editor.note.list'), exact: true })
  await expect(list).toHaveCount(0)

  await page.getByRole('button', { name: t('editor.history.title') }).click()
  const history = page.getByRole('dialog', { name: t('editor.history.title') })
  await history.getByRole('list').getByRole('button').first().click()
  await expect(history.getByRole('list', { name: t('editor.note.list'), exact: true })).toContainText('Or rubber.')

  const newsletters = await newslettersOf(page)
  const asAnalyst = newsletters.map((each: object) => ({ ...each, role: 'analyst' }))
  await page.route('**/api/newsletters', (route) => route.fulfill({ json: { newsletters: asAnalyst } }))
  await page.goto(path)
  await expect(list.getByRole('listitem')).toHaveText(['Of leather.', 'Or rubber.'])
})
