import { expect, type Locator, type Page } from '@playwright/test'
import sharp from 'sharp'
import type { Translate } from '../server/translator.ts'
import type { ToolName } from '../studio/publications/editor/toolbar/tools.ts'

/** Drawn here, so that no picture of somebody else's lies in the repository. */
const drawHarbour = () =>
  sharp({ create: { width: 640, height: 360, channels: 3, background: '#0c5c5a' } })
    .png()
    .toBuffer()

type Form = 'link' | 'video' | 'table'

/** The editor, as somebody with a mouse and a keyboard uses it. */
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
    this.#toolbar = page.getByRole('toolbar', { name: t('publish.tool.formatting') })
  }

  type(words: string): Promise<void> {
    return this.page.keyboard.type(words)
  }

  press(...keys: string[]): Promise<void> {
    return keys.reduce((before, key) => before.then(() => this.page.keyboard.press(key)), Promise.resolve())
  }

  /** Presses a control of the toolbar that does one thing. */
  async tool(name: ToolName): Promise<void> {
    await this.#named(this.t(`publish.tool.${name}`)).click()
    await expect(this.text).toBeFocused()
  }

  /** Chooses from a control of the toolbar that opens a list. */
  async choose(menu: 'block' | 'font' | 'size' | 'align' | 'direction', choice: string): Promise<void> {
    await this.#named(this.t(`publish.tool.${menu}`)).click()
    await this.page.getByRole('menu').getByText(choice, { exact: true }).click()
    await expect(this.page.getByRole('menu')).toBeHidden()
    await expect(this.text).toBeFocused()
  }

  /** Opens a form of the toolbar, fills what it asks by label, and hands it in. */
  async form(name: Form, fields: Record<string, string>, button: string): Promise<void> {
    const form = await this.#opened(name)
    for (const [label, value] of Object.entries(fields)) await form.getByLabel(label, { exact: true }).fill(value)
    await form.getByRole('button', { name: button, exact: true }).click()
    await expect(form).toBeHidden()
    await expect(this.text).toBeFocused()
  }

  async color(kind: 'color' | 'backgroundColor', value: string): Promise<void> {
    const palette = await this.#opened(kind)
    await palette.getByRole('button', { name: value, exact: true }).click()
    await expect(palette).toBeHidden()
    await expect(this.text).toBeFocused()
  }

  async noColor(kind: 'color' | 'backgroundColor'): Promise<void> {
    const palette = await this.#opened(kind)
    await palette
      .getByRole('button', { name: this.t(`publish.tool.${kind === 'color' ? 'noColor' : 'noBackground'}`) })
      .click()
    await expect(palette).toBeHidden()
    await expect(this.text).toBeFocused()
  }

  /** Uploads a picture and describes it. */
  async picture(alt: string): Promise<void> {
    const form = await this.#opened('image')
    const chooser = this.page.waitForEvent('filechooser')
    await form.getByRole('button', { name: this.t('publish.tool.chooseFile') }).click()
    await (await chooser).setFiles({ name: 'harbour.png', mimeType: 'image/png', buffer: await drawHarbour() })
    await this.page.getByRole('textbox', { name: this.t('publish.tool.alt'), exact: true }).fill(alt)
  }

  async #opened(name: Form | 'image' | 'color' | 'backgroundColor'): Promise<Locator> {
    await this.#named(this.t(`publish.tool.${name}`)).click()
    const dialog = this.page.getByRole('dialog', { name: this.t(`publish.tool.${name}`) })
    await expect(dialog).toBeVisible()
    return dialog
  }

  /** A control by its name; what is chosen may follow after a colon. */
  #named(label: string): Locator {
    const name = label.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
    return this.#toolbar.getByRole('button', { name: new RegExp(`^${name}(\\s?:.*)?$`) })
  }
}
