import { expect, type Locator, type Page } from '@playwright/test'
import sharp from 'sharp'
import type { Translate } from '../server/translator.ts'
import type { ToolName } from '../studio/publications/editor/toolbar/tools.ts'

/** Drawn here, so that the repository needs no image file. */
const drawHarbour = () =>
  sharp({ create: { width: 640, height: 360, channels: 3, background: '#0c5c5a' } })
    .png()
    .toBuffer()

type Form = 'link' | 'video' | 'table'

/** Uses the editor with mouse and keyboard, as a writer does. */
export class EditorScreen {
  readonly title: Locator
  readonly text: Locator
  readonly #toolbar: Locator

  constructor(
    private readonly page: Page,
    private readonly t: Translate,
  ) {
    this.title = page.getByRole('textbox', { name: t('publish.editor.title'), exact: true })
    this.text = page.getByRole('textbox', { name: t('publish.editor.text'), exact: true })
    this.#toolbar = page.getByRole('toolbar', { name: t('editor.tool.formatting') })
  }

  type(words: string): Promise<void> {
    return this.page.keyboard.type(words)
  }

  /** Presses keys as a hand does: the next one when the browser has told the editor where the caret is, which it does after it drew. */
  async press(...keys: string[]): Promise<void> {
    for (const key of keys) {
      await this.page.keyboard.press(key)
      await this.page.evaluate(() => new Promise((told) => requestAnimationFrame(() => setTimeout(told))))
    }
  }

  /** Pastes at the caret, as a browser does. */
  paste(html: string, text = 'text'): Promise<void> {
    return this.page.evaluate(
      ([html = '', text = '']) => {
        const data = new DataTransfer()
        data.setData('text/html', html)
        data.setData('text/plain', text)
        const event = new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })
        document.activeElement?.dispatchEvent(event)
      },
      [html, text],
    )
  }

  /** Presses a button of the toolbar. */
  async tool(name: ToolName): Promise<void> {
    await this.#control(this.t(`editor.tool.${name}`)).click()
    await expect(this.text).toBeFocused()
  }

  /** Chooses from a menu of the toolbar. */
  async choose(menu: 'block' | 'font' | 'size' | 'align' | 'direction', choice: string): Promise<void> {
    await this.#control(this.t(`editor.tool.${menu}`)).click()
    await this.page.getByRole('menu').getByText(choice, { exact: true }).click()
    await expect(this.page.getByRole('menu')).toBeHidden()
    await expect(this.text).toBeFocused()
  }

  /** Opens a form of the toolbar, fills its fields by their labels, and submits it. */
  async form(name: Form, fields: Record<string, string>, button: string): Promise<void> {
    const form = await this.#openDialog(name)
    for (const [label, value] of Object.entries(fields)) await form.getByLabel(label, { exact: true }).fill(value)
    await form.getByRole('button', { name: button, exact: true }).click()
    await expect(form).toBeHidden()
    await expect(this.text).toBeFocused()
  }

  async color(kind: 'color' | 'backgroundColor', value: string): Promise<void> {
    const palette = await this.#openDialog(kind)
    await palette.getByRole('button', { name: value, exact: true }).click()
    await expect(palette).toBeHidden()
    await expect(this.text).toBeFocused()
  }

  async noColor(kind: 'color' | 'backgroundColor'): Promise<void> {
    const palette = await this.#openDialog(kind)
    await palette
      .getByRole('button', { name: this.t(`editor.tool.${kind === 'color' ? 'noColor' : 'noBackground'}`) })
      .click()
    await expect(palette).toBeHidden()
    await expect(this.text).toBeFocused()
  }

  /** Uploads an image and describes it. */
  async image(alt: string): Promise<void> {
    const form = await this.#openDialog('image')
    const chooser = this.page.waitForEvent('filechooser')
    await form.getByRole('button', { name: this.t('editor.tool.chooseFile') }).click()
    await (await chooser).setFiles({ name: 'harbour.png', mimeType: 'image/png', buffer: await drawHarbour() })
    await this.page.getByRole('textbox', { name: this.t('editor.tool.alt'), exact: true }).fill(alt)
  }

  async #openDialog(name: Form | 'image' | 'color' | 'backgroundColor'): Promise<Locator> {
    await this.#control(this.t(`editor.tool.${name}`)).click()
    const dialog = this.page.getByRole('dialog', { name: this.t(`editor.tool.${name}`) })
    await expect(dialog).toBeVisible()
    return dialog
  }

  /** A control by its name. The chosen value may follow after a colon. */
  #control(label: string): Locator {
    const name = label.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
    return this.#toolbar.getByRole('button', { name: new RegExp(`^${name}(\\s?:.*)?$`) })
  }
}
