import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { brandStyle } from '../../newsletters/branding.ts'
import { translator } from '../../translator.ts'
import { darkModeStyle, documentStyle } from './document-style.ts'
import { renderEmailBody } from './email.tsx'
import { collectLinks } from './links.ts'
import { renderText } from './plain-text.ts'
import type { RenderOptions } from './render-options.ts'
import type { DocumentNode } from './schema.ts'
import { parseDocument } from './validate.ts'
import { renderWeb } from './web.tsx'

const options: RenderOptions = {
  t: translator('en'),
  link: (href) => href,
  image: ({ mediaId, src }, width) => ({
    src: src ?? `https://m.example/${mediaId}-${width}`,
    width,
    height: width / 2,
  }),
  mergeTag: (_, fallback) => fallback,
}

const style = brandStyle('#0C5C5A', 'gazette')

/** Validates first, so that each control is also proved to be part of the schema. */
function show(...content: DocumentNode[]) {
  const parsed = parseDocument({ type: 'doc', content })
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  return {
    web: renderToStaticMarkup(renderWeb(parsed.document, { ...options, player: ({ embed }) => embed })),
    css: documentStyle(parsed.document),
    email: renderToStaticMarkup(renderEmailBody(parsed.document, { ...options, style })),
    night: darkModeStyle(parsed.document, true),
    text: renderText(parsed.document, options),
    links: collectLinks(parsed.document),
  }
}

const text = (words: string, ...marks: { type: string; attrs?: Record<string, unknown> }[]): DocumentNode => ({
  type: 'text',
  text: words,
  marks,
})
const paragraph = (...content: DocumentNode[]): DocumentNode => ({ type: 'paragraph', content })
const marked = (type: string, attrs?: Record<string, unknown>) =>
  show(paragraph(text('word', attrs ? { type, attrs } : { type })))
const item = (...content: DocumentNode[]): DocumentNode => ({ type: 'listItem', content })
const list = (type: 'bulletList' | 'orderedList', ...content: DocumentNode[]): DocumentNode => ({ type, content })

describe('marks', () => {
  test.each([
    ['bold', '<strong>word</strong>', '*word*'],
    ['italic', '<em>word</em>', '_word_'],
    ['underline', '<u>word</u>', '_word_'],
    ['strike', '<s>word</s>', '~word~'],
    ['subscript', '<sub', '_(word)'],
    ['superscript', '<sup', '^(word)'],
    ['code', '<code', '`word`'],
  ])('%s', (type, markup, plain) => {
    const { web, email, text } = marked(type)
    expect(web).toContain(markup)
    expect(email).toContain(markup)
    expect(text).toBe(`${plain}\n`)
  })

  test('superscripts and subscripts are also in plain text', () => {
    expect(show(paragraph(text('H'), text('2', { type: 'subscript' }), text('O'))).text).toBe('H₂O\n')
    expect(show(paragraph(text('m'), text('3', { type: 'superscript' }))).text).toBe('m³\n')
  })

  test.each([
    ['small', '15px'],
    ['normal', '18px'],
    ['large', '24px'],
    ['huge', '34px'],
  ])('size %s', (size, pixels) => {
    const { web, email, text } = marked('textStyle', { size })
    expect(web).toContain(size === 'normal' ? '<span>word' : `class="size-${size}"`)
    expect(email).toContain(`font-size:${pixels}`)
    expect(text).toBe('word\n')
  })

  test('colour', () => {
    const { web, css, email, night } = marked('textStyle', { color: '#9A3412' })
    expect(web).toContain('class="color-9a3412"')
    expect(web).not.toContain('style=')
    expect(css).toContain('.color-9a3412{color:#9a3412}')
    expect(email).toContain('color:#9a3412')
    expect(night).toMatch(/prefers-color-scheme:dark\)\{\.color-9a3412\{color:#[0-9A-F]{6} !important/)
  })

  test('background, with text that is readable on it in light and dark mode', () => {
    const { web, css, email } = marked('textStyle', { backgroundColor: '#fff3bf' })
    expect(web).toContain('class="color-on-fff3bf"')
    expect(css).toContain('.color-on-fff3bf{background-color:#fff3bf;color:#181C1B}')
    expect(email).toContain('background-color:#fff3bf')
  })

  test('font', () => {
    const { web, email } = marked('textStyle', { font: 'fraunces' })
    expect(web).toContain('class="font-fraunces"')
    expect(email).toContain('font-family:Fraunces,')
  })

  test('a link with a bold word in it stays one link', () => {
    const mark = { type: 'link', attrs: { href: 'https://example.org/a?b=1&c=2' } }
    const { web, email, text: plain, links } = show(paragraph(text('the ', mark), text('wind', mark, { type: 'bold' })))
    expect(web).toContain('<a href="https://example.org/a?b=1&amp;c=2" rel="noopener">the <strong>wind</strong></a>')
    expect(email.match(/<a /g)).toHaveLength(1)
    expect(plain).toBe('the *wind* [1]\n\nLinks\n[1] https://example.org/a?b=1&c=2\n')
    expect(links).toEqual(['https://example.org/a?b=1&c=2'])
  })
})

describe('blocks', () => {
  test.each([1, 2, 3, 4, 5, 6])('header %i', (level) => {
    const { web, email, text: plain } = show({ type: 'heading', attrs: { level }, content: [text('Head')] })
    expect(web).toBe(`<h${level}>Head</h${level}>`)
    expect(email).toContain(`<h${level} `)
    expect(plain).toMatch(/^Head\n([=\-~.])\1{3}\n$/)
  })

  test('blockquote', () => {
    const { web, email, text: plain } = show({ type: 'blockquote', content: [paragraph(text('Ink'))] })
    expect(web).toBe('<blockquote><p>Ink</p></blockquote>')
    expect(email).toMatch(/class="tx qt" style="[^"]*border-left:3px solid #0C5C5A.*<blockquote/)
    expect(plain).toBe('> Ink\n')
  })

  test('code block keeps its lines', () => {
    const { web, email, text: plain } = show({ type: 'codeBlock', content: [text('if (a) {\n  b()\n}')] })
    expect(web).toBe('<pre tabindex="0"><code>if (a) {\n  b()\n}</code></pre>')
    expect(email).toMatch(/<pre [^>]*white-space:pre-wrap/)
    expect(plain).toBe('if (a) {\n      b()\n    }\n')
  })

  test('lists, nested and numbered', () => {
    const inner = list('orderedList', item(paragraph(text('east'))), item(paragraph(text('west'))))
    const {
      web,
      email,
      text: plain,
    } = show(list('bulletList', item(paragraph(text('wind')), inner), item(paragraph(text('rain')))))
    expect(web).toBe(
      '<ul><li><p>wind</p><ol><li><p>east</p></li><li><p>west</p></li></ol></li><li><p>rain</p></li></ul>',
    )
    expect(email).toMatch(/<ul.*<ol.*<\/ol>.*<\/ul>/)
    expect(plain).toBe('- wind\n  1. east\n  2. west\n- rain\n')
  })

  test('indent', () => {
    const { web, email, text: plain } = show(paragraph(text('out')), { ...paragraph(text('in')), attrs: { indent: 2 } })
    expect(web).toContain('<p class="indent-2">in</p>')
    expect(email).toContain('padding-left:64px')
    expect(plain).toBe('out\n\n        in\n')
  })

  test('text direction', () => {
    const { web, email, text: plain } = show({ ...paragraph(text('الريح')), attrs: { dir: 'rtl' } })
    expect(web).toBe('<p dir="rtl">الريح</p>')
    expect(email).toMatch(/<p dir="rtl" align="right" style="[^"]*text-align:right/)
    expect(plain).toBe('\u200Fالريح\n')
  })

  test.each(['left', 'center', 'right', 'justify'])('align %s', (textAlign) => {
    const { web, email, text: plain } = show({ ...paragraph(text('word')), attrs: { textAlign } })
    expect(web).toBe(`<p class="align-${textAlign}">word</p>`)
    expect(email).toContain(`text-align:${textAlign}`)
    expect(plain.trim()).toBe('word')
  })

  test('image', () => {
    const {
      web,
      email,
      text: plain,
    } = show({
      type: 'image',
      attrs: { mediaId: 'm1', alt: 'Four boats', caption: 'Half past four', width: 'wide' },
    })
    expect(web).toMatch(
      /<figure class="picture picture-wide"><img src="https:\/\/m.example\/m1-1080" width="1080" height="540" alt="Four boats"/,
    )
    expect(web).toContain('<figcaption>Half past four</figcaption>')
    expect(email).toMatch(
      /<img class="mu" src="https:\/\/m.example\/m1-600" width="600" alt="Four boats" style="[^"]*max-width:100%/,
    )
    expect(plain).toBe('[Image: Four boats]\nHalf past four\n')
  })

  test('video becomes its poster with a play mark and a link', () => {
    const url = 'https://www.youtube.com/watch?v=abcdefghijk'
    const attrs = { url, provider: 'youtube', posterMediaId: 'm2', title: 'The bell' }
    const { web, email, text: plain, links } = show({ type: 'video', attrs })
    expect(web).toMatch(
      /<details><summary.*m2-664.*<iframe src="https:\/\/www.youtube-nocookie.com\/embed\/abcdefghijk"/,
    )
    expect(email).toMatch(/<a href="https:\/\/www.youtube.com\/watch\?v=abcdefghijk"><img .*m2-520.*▶.*Watch: The bell/)
    expect(plain).toBe(`[Video: The bell] ${url}\n`)
    expect(links).toEqual([url])
  })

  const cell = (words: string, type = 'tableCell'): DocumentNode => ({ type, content: [paragraph(text(words))] })
  const row = (...content: DocumentNode[]): DocumentNode => ({ type: 'tableRow', content })

  test('table', () => {
    const head = row(cell('Day', 'tableHeader'), cell('Low water', 'tableHeader'))
    const { web, email, text: plain } = show({ type: 'table', content: [head, row(cell('Saturday'), cell('16:30'))] })
    expect(web).toMatch(/<thead><tr><th scope="col"><p>Day<\/p>.*<tbody><tr><td><p>Saturday/)
    expect(email).toMatch(/<table width="100%" border="0".*<th class="rl tx dt box" scope="col".*border:1px solid/)
    expect(plain).toBe('Day       Low water\n--------  ---------\nSaturday  16:30\n')
  })

  test('a table too wide for plain text is written row by row', () => {
    const long = 'a long sentence that fills its cell from one end to the other'
    const head = row(cell('Day', 'tableHeader'), cell('Note', 'tableHeader'))
    const { text: plain } = show({ type: 'table', content: [head, row(cell(long), cell(long))] })
    expect(plain).toBe(`Day: ${long}\nNote: ${long}\n`)
  })

  test('cells that span, and columns with a width', () => {
    const wide = { ...cell('all'), attrs: { colspan: 2, colwidth: [120, 80] } }
    const { web, css, email, text: plain } = show({ type: 'table', content: [row(wide), row(cell('a'), cell('b'))] })
    expect(web).toContain('<td class="width-200" colSpan="2">')
    expect(css).toContain('.width-200{width:200px}')
    expect(email).toMatch(/colSpan="2" width="200"/)
    expect(plain).toBe('all\na    b\n')
  })
})

describe('nodes that TipTap does not have', () => {
  test('merge tag', () => {
    const {
      web,
      email,
      text: plain,
    } = show(paragraph(text('Dear '), { type: 'mergeTag', attrs: { field: 'name', fallback: 'reader' } }))
    expect(web).toBe('<p>Dear reader</p>')
    expect(email).toContain('Dear reader')
    expect(plain).toBe('Dear reader\n')
  })

  test('button', () => {
    const attrs = { label: 'Book', href: 'https://example.org/', align: 'center' }
    const { web, email, text: plain, links } = show({ type: 'button', attrs })
    expect(web).toContain('<p class="align-center"><a class="button" href="https://example.org/">Book</a></p>')
    expect(email).toMatch(
      /<table role="presentation".*<td class="btn" bgcolor="#0C5C5A".*<a href="https:\/\/example.org\/"/,
    )
    expect(plain).toBe('» Book: https://example.org/\n')
    expect(links).toEqual(['https://example.org/'])
  })

  test('callout, divider, rule and line break', () => {
    const {
      web,
      email,
      text: plain,
    } = show(
      {
        type: 'callout',
        attrs: { tone: 'warning' },
        content: [paragraph(text('Wet'), { type: 'hardBreak' }, text('slippery'))],
      },
      { type: 'divider', attrs: { kind: 'stars' } },
      { type: 'horizontalRule' },
    )
    expect(web).toContain(
      '<aside class="callout callout-warning"><p class="callout-label">Take care</p><p>Wet<br/>slippery</p></aside>',
    )
    expect(web).toContain('<hr class="divider divider-stars"/><hr/>')
    expect(email).toContain('* * *')
    expect(plain).toMatch(/^\| \[Take care\]\n\| Wet\n\| slippery\n\n {35}\* \* \*\n\n-{40}\n$/)
  })
})

test('the words of an author are always text, never markup', () => {
  const { web, email } = show(paragraph(text('<script>alert(1)</script>')), {
    type: 'image',
    attrs: { src: '/a.png', alt: '"><script>' },
  })
  expect(web + email).not.toContain('<script')
})

test('plain text is at most 76 columns wide, except addresses, which are never cut', () => {
  const href = `https://example.org/${'long/'.repeat(30)}`
  const { text: plain } = show(paragraph(text('word '.repeat(100)), text(href, { type: 'link', attrs: { href } })))
  expect(plain).toContain(`\n${href}\n`)
  for (const line of plain.split('\n')) expect(line === href || line.length <= 76).toBe(true)
})
