import { EditorScreen } from './editor-screen.ts'
import { expect, test } from './fixtures.ts'
import { openDraft } from './publications.ts'

const paragraph = (text: string) => ({ type: 'paragraph', content: [{ type: 'text', text }] })
const wordOf = (label: string): string => label.split(' ')[0] ?? label

test('a slash in an empty paragraph offers what can be inserted, and the keys choose from it', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const { path, content } = await openDraft(page, { baseURL, language })
  const editor = new EditorScreen(page, t)
  await page.goto(path)
  const list = page.getByRole('listbox', { name: t('editor.tool.insert') })
  const hint = editor.text.locator(`[data-hint="${t('publish.editor.hint')}"]`)
  await expect(hint).toHaveCount(1)
  await editor.text.click()
  await editor.type('/')
  await expect(list).toBeVisible()
  await expect(hint).toHaveCount(0)
  // The focus stays in the text, which names the active option.
  await expect(editor.text).toBeFocused()
  const active = () => list.locator('[aria-selected="true"]')
  await expect(active()).toHaveText(t('editor.tool.image'))
  await editor.press('ArrowDown')
  await expect(active()).toHaveText(t('editor.tool.video'))
  await expect(editor.text).toHaveAttribute('aria-activedescendant', (await active().getAttribute('id')) ?? '')
  await editor.press('ArrowUp', 'ArrowUp')
  await expect(active()).toHaveText(t('editor.tool.onlyFor.email'))
  await editor.press('Escape')
  await expect(list).toBeHidden()
  await expect(editor.text).not.toHaveAttribute('aria-activedescendant')
  await expect(editor.text).toHaveText('/')

  await editor.press('Backspace')
  // Typed without its accents: étoiles in French.
  await editor.type(`/${wordOf(t('editor.tool.dividers.stars').split(' ').at(-1) ?? '').normalize('NFD')[0]}`)
  await expect(list.getByRole('option', { name: t('editor.tool.dividers.stars') })).toBeVisible()
  await editor.press('Backspace')
  await editor.type(wordOf(t('editor.tool.tones.tip')).toLowerCase())
  await expect(list.getByRole('option')).toHaveCount(1)
  await editor.press('Enter')
  await expect(list).toBeHidden()
  await editor.type('Bring boots.')
  await expect(editor.text.locator('aside')).toHaveText('Bring boots.')
  // The line above it that the letter has.
  await expect(editor.text.locator('aside')).toHaveAttribute('data-label', t('document.tip'))
  await expect.poll(content).toContain('Bring boots.')
  expect(await content()).not.toContain('"/')
})

test('the slash finds headings, quotes, lists and code too, and a button that leads to the subscribe page', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const { path, content } = await openDraft(page, { baseURL, language })
  const editor = new EditorScreen(page, t)
  await page.goto(path)
  const options = page.getByRole('listbox', { name: t('editor.tool.insert') }).getByRole('option')
  await editor.text.click()
  const choose = async (name: string) => {
    await editor.type(`/${name}`)
    await expect(options).toHaveText([name])
    await editor.press('Enter')
  }
  await choose(t('editor.tool.heading', { level: 2 }))
  await editor.type('The tide')
  await editor.press('Enter')
  await choose(t('editor.tool.blockquote'))
  await editor.type('It waits')
  await expect(editor.text.locator('h2')).toHaveText('The tide')
  await expect(editor.text.locator('blockquote')).toHaveText('It waits')
  await editor.press('Enter', 'Enter')
  await choose(t('editor.tool.bulletList'))
  await editor.type('boots')
  await expect(editor.text.locator('li')).toHaveText('boots')
  await editor.press('Enter', 'Enter')
  await choose(t('editor.tool.codeBlock'))
  await editor.type('x = 1')
  await expect(editor.text.locator('pre')).toHaveText('x = 1')
  await editor.press('ArrowDown')
  await choose(t('editor.tool.subscribeButton'))
  await expect.poll(content).toMatch(/"href":"http[^"]+\/subscribe\//)
})

test('a menu of the toolbar is not covered by the tooltip of its button', async ({ page, t, language, baseURL }) => {
  const { path } = await openDraft(page, { baseURL, language })
  await page.goto(path)
  const insert = page.getByRole('button', { name: t('editor.tool.more'), exact: true })
  await insert.hover()
  await expect(page.getByRole('tooltip')).toHaveText(t('editor.tool.more'))
  await insert.click()
  await expect(page.getByRole('menuitem', { name: t('editor.tool.image'), exact: true })).toBeVisible()
  await expect(page.getByRole('tooltip')).toHaveCount(0)
})

test('taking back what the slash inserted leaves no slash; blur and other places open nothing', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const { path } = await openDraft(page, { baseURL, language })
  const editor = new EditorScreen(page, t)
  await page.goto(path)
  const list = page.getByRole('listbox', { name: t('editor.tool.insert') })
  await editor.text.click()
  await editor.type('/')
  await list.getByRole('option', { name: t('editor.tool.dividers.dots') }).click()
  await expect(editor.text.locator('[data-divider="dots"]')).toHaveCount(1)
  // The caret is below the divider.
  await editor.press('Control+z')
  await expect(editor.text.locator('[data-divider]')).toHaveCount(0)
  await expect(editor.text).toHaveText('')
  await editor.press('Control+z')
  await expect(editor.text).toHaveText('')

  await editor.type('Half past 1/')
  await expect(list).toBeHidden()
  await editor.type('2, or /')
  await expect(list).toBeVisible()
  // A space says that it was a word of the text.
  await editor.type(' so')
  await expect(list).toBeHidden()
  await expect(editor.text).toHaveText('Half past 1/2, or / so')
  await editor.press('Enter')
  await editor.type('/')
  await expect(list).toBeVisible()
  await editor.title.focus()
  await expect(list).toBeHidden()
})

test('a table from the slash is there at once, of three rows and columns, with the caret in it', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const { path } = await openDraft(page, { baseURL, language })
  const editor = new EditorScreen(page, t)
  await page.goto(path)
  await editor.text.click()
  await editor.type(`/${t('editor.tool.table').toLowerCase()}`)
  await editor.press('Enter')
  await expect(editor.text.locator('table').getByRole('row')).toHaveCount(3)
  await editor.type('Tide')
  await expect(editor.text.locator('th').first()).toHaveText('Tide')
  await expect(editor.text.locator('th')).toHaveText(['Tide', '', ''])
})

test('the list fits a narrow screen, and a form that it opens is seen there', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const { path } = await openDraft(page, { baseURL, language })
  const editor = new EditorScreen(page, t)
  await page.goto(path)
  await editor.text.click()
  await editor.type('/')
  const list = page.getByRole('listbox', { name: t('editor.tool.insert') })
  await expect(list).toBeInViewport({ ratio: 1 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  await list.getByRole('option', { name: t('editor.tool.video') }).click()
  await expect(page.getByRole('dialog', { name: t('editor.tool.video') })).toBeInViewport({ ratio: 1 })
})

test('what is inserted is scrolled to, and typing goes on below it', async ({ page, t, language, baseURL }) => {
  const long = Array.from({ length: 40 }, (_, n) =>
    paragraph(`Line ${n}. ${'The harbour empties twice a day. '.repeat(4)}`),
  )
  const content = { type: 'doc', content: [...long, { type: 'paragraph' }] }
  const { path } = await openDraft(page, { baseURL, language, content })
  const editor = new EditorScreen(page, t)
  await page.goto(path)
  const scroll = (to: 'top' | 'end') =>
    page.getByRole('main').evaluate((main, to) => main.scrollTo(0, to === 'top' ? 0 : main.scrollHeight), to)
  await editor.text.locator('p').last().click()
  const menu = async (name: string) => {
    await scroll('top')
    await page.getByRole('button', { name: t('editor.tool.more') }).click()
    await page.getByRole('menuitem', { name, exact: true }).click()
  }
  await menu(t('editor.tool.button'))
  await expect(editor.text.locator('[data-button-block]')).toBeInViewport({ ratio: 1 })
  // As whoever changes their mind: a focus by script has the caret where the browser puts it, until the editor moves it.
  await expect(page.getByRole('textbox', { name: t('editor.tool.address'), exact: true })).toBeFocused()
  await editor.press('Escape')
  await editor.type('Below the button.')
  await expect(editor.text.locator('[data-button-block] + p')).toHaveText('Below the button.')
  await editor.press('Enter')
  await menu(t('editor.tool.dividers.rule'))
  await expect(editor.text.locator('hr')).toBeInViewport()
  await editor.type('Below the rule.')
  await expect(editor.text.locator('hr + p')).toHaveText('Below the rule.')
  await editor.press('Enter')
  await scroll('top')
  await editor.image('A harbour at low water')
  await expect(editor.text.locator('figure img')).toBeInViewport({ ratio: 1 })
  await scroll('top')
  await editor.press('Escape')
  await editor.type('Below the image.')
  await expect(editor.text.locator('figure + p')).toHaveText('Below the image.')
  await editor.press('Enter')
  await scroll('top')
  await editor.form('table', {}, t('editor.tool.insert'))
  await expect(editor.text.locator('table')).toBeInViewport()
  await editor.type('Tide')
  await expect(editor.text.locator('th').first()).toHaveText('Tide')
})

test('what is inserted writes over no selected words, and a button takes them for its own', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const words = 'The tide waits for nobody'
  const { path } = await openDraft(page, {
    baseURL,
    language,
    content: { type: 'doc', content: [paragraph(words), paragraph('And back.')] },
  })
  const editor = new EditorScreen(page, t)
  await page.goto(path)
  const line = editor.text.locator('p').first()
  const inserts = page.getByRole('toolbar', { name: t('editor.tool.insert') })
  const insert = async (name: string) => {
    await line.click()
    await editor.press('Home', 'Control+Shift+ArrowRight', 'Control+Shift+ArrowRight')
    await inserts.getByRole('button', { name, exact: true }).click()
  }
  await insert(t('editor.tool.button'))
  await expect(editor.text.locator('p + [data-button-block]')).toHaveText('The tide')
  await expect(line).toHaveText(words)
  await insert(t('editor.tool.dividers.stars'))
  await expect(editor.text.locator('p + [data-divider="stars"]')).toHaveCount(1)
  await expect(line).toHaveText(words)
  await insert(t('editor.tool.mergeTag'))
  await expect(line).toContainText('The tide')
  await expect(line).toContainText('waits for nobody')
})

for (const width of [1440, 390]) {
  test(`the text stays where it is, whatever is selected, on a screen ${width} wide`, async ({
    page,
    t,
    language,
    baseURL,
  }) => {
    await page.setViewportSize({ width, height: 844 })
    const { path } = await openDraft(page, {
      baseURL,
      language,
      content: {
        type: 'doc',
        content: [
          paragraph('The first line.'),
          { type: 'heading', attrs: { level: 2 }, content: [{ type: 'text', text: 'A heading' }] },
          { type: 'button', attrs: { label: 'Read on', href: '' } },
          { type: 'image', attrs: { src: '/favicon.svg', alt: '' } },
          { type: 'callout', content: [paragraph('Bring boots.')] },
        ],
      },
    })
    const editor = new EditorScreen(page, t)
    await page.goto(path)
    const first = editor.text.getByText('The first line.')
    const insert = page.getByRole('button', { name: t('editor.tool.more') })
    await first.click()
    // A face that comes late moves the lines by a pixel.
    await page.evaluate(() => document.fonts.ready)
    const placed = async () => [await first.boundingBox(), await insert.boundingBox()]
    const before = await placed()
    for (const [what, node] of [
      [editor.text.locator('[data-button-block] span'), 'button'],
      [editor.text.locator('[data-missing]'), 'image'],
      [editor.text.getByText('Bring boots.'), 'callout'],
    ] as const) {
      await what.click()
      await expect(page.getByRole('region', { name: t(`editor.node.${node}`) })).toBeVisible()
      expect(await placed()).toEqual(before)
    }
    await editor.text.getByText('A heading').click()
    await expect(page.getByRole('toolbar', { name: t('editor.tool.insert') })).toBeVisible()
    expect(await placed()).toEqual(before)
  })
}

test('whoever taps below the last image writes on below it', async ({ page, t, language, baseURL }) => {
  const last = { type: 'image', attrs: { src: '/favicon.svg', alt: '' } }
  const { path, content } = await openDraft(page, {
    baseURL,
    language,
    content: { type: 'doc', content: [...Array(12).fill(paragraph('The tide.')), last] },
  })
  const editor = new EditorScreen(page, t)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(path)
  const image = editor.text.locator('[data-missing]')
  await image.evaluate((element) => element.scrollIntoView({ block: 'center' }))
  const box = await image.boundingBox()
  await page.mouse.click(100, (box?.y ?? 0) + (box?.height ?? 0) + 160)
  await page.keyboard.type('And back.')
  await expect.poll(content).toContain('And back.')
  await expect(editor.text.locator('p').last()).toHaveText('And back.')
})

test('whoever makes a link of a word types on behind it', async ({ page, t, language, baseURL }) => {
  const { path, content } = await openDraft(page, { baseURL, language })
  const editor = new EditorScreen(page, t)
  await page.goto(path)
  await editor.text.click()
  await editor.type('See the bridge')
  await editor.press('Shift+Control+ArrowLeft', 'Control+k')
  const address = page.getByRole('textbox', { name: t('editor.tool.address') })
  await expect(address).toBeFocused()
  await editor.type('bridge.example')
  await editor.press('Enter')
  await expect(editor.text).toBeFocused()
  await editor.type(' at dawn')
  await expect(editor.text.locator('a')).toHaveText('bridge')
  await expect(editor.text).toHaveText('See the bridge at dawn')
  await expect.poll(content).toContain(' at dawn')
})
