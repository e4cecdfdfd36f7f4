import type { Translate } from '../server/translator.ts'
import type { EditorScreen } from './editor-screen.ts'

/** The words that are written, each with the control that sets it. */
export const target = 'https://harbour.example/menez-du'

/** Writes a publication with every control of the toolbar, by mouse and keyboard. */
export async function writeWithEverything(desk: EditorScreen, t: Translate): Promise<void> {
  await desk.title.fill('The harbour that waits')
  await desk.text.click()
  await marks(desk)
  await headings(desk, t)
  await blocks(desk)
  await looks(desk, t)
  await insertions(desk, t)
}

async function marks(desk: EditorScreen): Promise<void> {
  for (const name of ['bold', 'italic', 'underline', 'strike', 'subscript', 'superscript'] as const) {
    await desk.tool(name)
    await desk.type(`in ${name}`)
    await desk.tool(name)
    await desk.type(' ')
  }
  await desk.press('Enter')
}

async function headings(desk: EditorScreen, t: Translate): Promise<void> {
  for (const level of [1, 2, 3, 4, 5, 6]) {
    await desk.choose('block', t('publish.tool.heading', { level }))
    await desk.type(`Level ${level}`)
    await desk.press('Enter')
  }
  await desk.choose('block', t('publish.tool.paragraph'))
}

async function blocks(desk: EditorScreen): Promise<void> {
  await desk.tool('blockquote')
  await desk.type('The table tells you the moon’s opinion.')
  await desk.press('Enter', 'Enter')
  await desk.tool('codeBlock')
  await desk.type('const low = tide.at(0)')
  await desk.press('Control+Enter')
  await desk.tool('orderedList')
  await desk.type('Bow line')
  await desk.press('Enter')
  await desk.type('Springs')
  await desk.tool('indent')
  await desk.press('Enter', 'Enter', 'Enter')
  await desk.tool('bulletList')
  await desk.type('Fenders')
  await desk.press('Enter', 'Enter')
  await desk.tool('indent')
  await desk.tool('indent')
  await desk.type('Two steps in')
  await desk.tool('outdent')
  await desk.press('Enter')
  await desk.tool('outdent')
}

async function looks(desk: EditorScreen, t: Translate): Promise<void> {
  for (const size of ['small', 'large', 'huge'] as const) {
    await desk.choose('size', t(`publish.tool.sizes.${size}`))
    await desk.type(`A ${size} word`)
    await desk.choose('size', t('publish.tool.sizes.normal'))
    await desk.type(' ')
  }
  await desk.color('color', '#b3231d')
  await desk.type('red ink')
  await desk.noColor('color')
  await desk.color('backgroundColor', '#f5de8a')
  await desk.type('marked')
  await desk.noColor('backgroundColor')
  await desk.choose('font', 'Fraunces')
  await desk.type('in Fraunces')
  await desk.choose('font', t('publish.tool.fontDefault'))
  await desk.press('Enter')
  await desk.choose('align', t('publish.tool.aligns.center'))
  await desk.type('In the middle')
  await desk.press('Enter')
  await desk.choose('align', t('publish.tool.aligns.left'))
  await desk.choose('direction', t('publish.tool.directions.rtl'))
  await desk.type('مرفأ')
  await desk.press('Enter')
  await desk.choose('direction', t('publish.tool.directions.inherit'))
  await desk.tool('bold')
  await desk.type('plain again')
  await desk.press('Shift+Home')
  await desk.tool('clean')
  await desk.press('End', 'Enter')
}

async function insertions(desk: EditorScreen, t: Translate): Promise<void> {
  const [address, words] = [t('publish.tool.address'), t('publish.tool.linkText')]
  await desk.form('link', { [address]: target, [words]: 'See the tide' }, t('publish.tool.apply'))
  await desk.press('Enter')
  await desk.form(
    'video',
    {
      [t('publish.tool.videoAddress')]: 'https://video.example/tide.mp4',
      [t('publish.tool.videoTitle')]: 'A tide in a minute',
    },
    t('publish.tool.insert'),
  )
  await desk.press('Control+End')
  await desk.form('table', {}, t('publish.tool.insert'))
  await desk.type('Day')
  await desk.press('Tab')
  await desk.type('Height')
  await desk.press('Control+End')
  await desk.picture('A harbour at low water')
}
