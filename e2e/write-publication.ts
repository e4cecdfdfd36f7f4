import type { Translate } from '../server/translator.ts'
import type { EditorScreen } from './editor-screen.ts'

/** The target of the link in the text. */
export const linkTarget = 'https://harbour.example/menez-du'

/** Writes a publication with every control of the toolbar, by mouse and keyboard. */
export async function writeWithEveryControl(editor: EditorScreen, t: Translate): Promise<void> {
  await editor.title.fill('The harbour that waits')
  await editor.text.click()
  await marks(editor)
  await headings(editor, t)
  await blocks(editor)
  await styles(editor, t)
  await insertions(editor, t)
}

async function marks(editor: EditorScreen): Promise<void> {
  for (const name of ['bold', 'italic', 'underline', 'strike', 'subscript', 'superscript'] as const) {
    await editor.tool(name)
    await editor.type(`in ${name}`)
    await editor.tool(name)
    await editor.type(' ')
  }
  await editor.press('Enter')
}

async function headings(editor: EditorScreen, t: Translate): Promise<void> {
  for (const level of [1, 2, 3, 4, 5, 6]) {
    await editor.choose('block', t('editor.tool.heading', { level }))
    await editor.type(`Level ${level}`)
    await editor.press('Enter')
  }
  await editor.choose('block', t('editor.tool.paragraph'))
}

async function blocks(editor: EditorScreen): Promise<void> {
  await editor.tool('blockquote')
  await editor.type('The table tells you the moon’s opinion.')
  await editor.press('Enter', 'Enter')
  await editor.tool('codeBlock')
  await editor.type('const low = tide.at(0)')
  await editor.press('Control+Enter')
  await editor.tool('orderedList')
  await editor.type('Bow line')
  await editor.press('Enter')
  await editor.type('Springs')
  await editor.tool('indent')
  await editor.press('Enter', 'Enter', 'Enter')
  await editor.tool('bulletList')
  await editor.type('Fenders')
  await editor.press('Enter', 'Enter')
  await editor.tool('indent')
  await editor.tool('indent')
  await editor.type('Two steps in')
  await editor.tool('outdent')
  await editor.press('Enter')
  await editor.tool('outdent')
}

async function styles(editor: EditorScreen, t: Translate): Promise<void> {
  for (const size of ['small', 'large', 'huge'] as const) {
    await editor.choose('size', t(`editor.tool.sizes.${size}`))
    await editor.type(`A ${size} word`)
    await editor.choose('size', t('editor.tool.sizes.normal'))
    await editor.type(' ')
  }
  await editor.color('color', '#b3231d')
  await editor.type('red ink')
  await editor.noColor('color')
  await editor.color('backgroundColor', '#f5de8a')
  await editor.type('marked')
  await editor.noColor('backgroundColor')
  await editor.choose('font', 'Fraunces')
  await editor.type('in Fraunces')
  await editor.choose('font', t('editor.tool.fontDefault'))
  await editor.press('Enter')
  await editor.choose('align', t('editor.tool.aligns.center'))
  await editor.type('In the middle')
  await editor.press('Enter')
  await editor.choose('align', t('editor.tool.aligns.left'))
  await editor.choose('direction', t('editor.tool.directions.rtl'))
  await editor.type('مرفأ')
  await editor.press('Enter')
  await editor.choose('direction', t('editor.tool.directions.inherit'))
  await editor.tool('bold')
  await editor.type('plain again')
  await editor.press('Shift+Home')
  await editor.tool('clean')
  await editor.press('End', 'Enter')
}

async function insertions(editor: EditorScreen, t: Translate): Promise<void> {
  const [address, words] = [t('editor.tool.address'), t('editor.tool.linkText')]
  await editor.form('link', { [address]: linkTarget, [words]: 'See the tide' }, t('editor.tool.apply'))
  await editor.press('Enter')
  await editor.form(
    'video',
    {
      [t('editor.tool.videoAddress')]: 'https://video.example/tide.mp4',
      [t('editor.tool.videoTitle')]: 'A tide in a minute',
    },
    t('editor.tool.insert'),
  )
  await editor.press('Control+End')
  await editor.form('table', {}, t('editor.tool.insert'))
  await editor.type('Day')
  await editor.press('Tab')
  await editor.type('Height')
  await editor.press('Control+End')
  await editor.image('A harbour at low water')
}
