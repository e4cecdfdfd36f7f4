import { expect, test } from 'vitest'
import { articleMail, houseMail } from '../testing/sample-mails.ts'
import caniemail from '../testing/samples/caniemail.json' with { type: 'json' }

/** Pages of caniemail.com by their name, of those that our mails need. */
const features: Record<string, { support: string }> = caniemail.features

/** HTML 4.01 and CSS 2.1 that caniemail has no page for, and two properties that only one program knows. */
const withoutPage = new Set([
  ...['a', 'b', 'br', 'em', 'head', 'html', 'meta', 's', 'sub', 'sup', 'title', 'u'].map((name) => `<${name}>`),
  ...['alt', 'bgcolor', 'border', 'charset', 'content', 'href', 'name', 'scope', 'src', 'start', 'style', 'colspan'],
  ...['color', 'font-family', 'font-style', '-webkit-text-size-adjust', 'supported-color-schemes', ':root'],
])

interface Excuse {
  because: string
  /** What is used of a feature of which only a part is supported. */
  values?: RegExp
}

const inHead = 'rules in the head are for phones and dark mode; all else is inline'
const color = '#[0-9A-Fa-f]{6}'

/** What is not supported by every client, and why a mail is good without it. */
const excuses: Record<string, Excuse> = {
  'css-at-media': { because: inHead },
  'css-at-media-prefers-color-scheme': { because: 'such a client shows the light mail, or darkens it itself' },
  'css-background': { because: 'colours are supported', values: new RegExp(`^${color}$`) },
  'css-border': {
    because: 'narrow ones on tables, cells and pictures are supported',
    values: new RegExp(`^(0|[1-3]px solid ${color}|${color})$`),
  },
  'css-border-radius': { because: 'a button with square corners is a button', values: /^\dpx$/ },
  'css-color-scheme': { because: 'every colour is given' },
  'css-display': {
    because: 'Outlook for Windows puts a picture and a label of a button in a line, in a cell of its own',
    values: /^(block|inline-block|none)$/,
  },
  'css-display-none': {
    because: 'mso-hide hides the preheader in Outlook for Windows; Yahoo for Android may show it above the mail',
  },
  'css-font-size': { because: 'all but rem is supported', values: /^(0|\d+px|\d+%)$/ },
  'css-font-weight': {
    because: 'hundreds are supported; where 500 is normal, headings are lighter',
    values: /^[56]00$/,
  },
  'css-height': { because: 'auto is the default', values: /^auto$/ },
  'css-important': { because: `with a space before, in the head, it is supported; ${inHead}` },
  'css-letter-spacing': { because: 'decoration' },
  'css-line-height': {
    because: 'Outlook for Windows makes lines higher, but for headings, which have mso-line-height-rule',
  },
  'css-margin': {
    because: 'no negative ones; a table with auto has align as well',
    values: /^(0|auto|\d+px)( (0|auto|\d+px))*$/,
  },
  'css-max-height': { because: 'a logo has its height, and the preheader mso-hide, for Outlook for Windows' },
  'css-max-width': { because: 'tables and pictures have a width for Outlook for Windows' },
  'css-opacity': { because: 'the third means to hide the preheader' },
  'css-overflow': { because: 'the second means to hide the preheader' },
  'css-padding': {
    because:
      'on cells it is supported; lists have a margin for Outlook for Windows, captions come nearer to their picture',
  },
  'css-selector-class': { because: inHead },
  'css-selector-descendant': { because: inHead },
  'css-selector-grouping': { because: inHead },
  'css-selector-type': { because: inHead },
  'css-table-layout': {
    because: 'Outlook for macOS always has it; a long word makes the mail wider in Outlook for Windows',
  },
  'css-text-align': { because: 'all but start and end is supported', values: /^(left|right|center|justify)$/ },
  'css-text-decoration': { because: 'one value is supported, and an underlined button is a button', values: /^none$/ },
  'css-white-space': { because: 'pre keeps its lines without it; long ones are not broken', values: /^pre-wrap$/ },
  'css-width': { because: 'pictures have a width attribute for Outlook for Windows', values: /^(auto|100%)$/ },
  'css-word-break': { because: 'only very long words in tables and on buttons need more than word-wrap' },
  'css-word-wrap': { because: 'Outlook for Windows, which has wide windows, breaks no words' },
  'html-align': { because: 'Outlook for macOS shows a button of the right on the left' },
  'html-aria-label': { because: 'a number and an arrow back say enough' },
  'html-body': { because: 'a table in it has the background too' },
  'html-dir': { because: 'Outlook for Windows has bugs with dir on links, which have none' },
  'html-doctype': { because: 'nothing depends on the mode; sizes are given' },
  'html-height': { because: 'pixels are supported' },
  'html-lang': { because: 'a screen reader speaks in the language of its user' },
  'html-lists': { because: 'all but reversed and value is supported' },
  'html-meta-color-scheme': { because: 'every colour is given' },
  'html-picture': { because: 'such a client shows the picture of the day, which stands in it' },
  'html-role': { because: 'a screen reader may call a table of the layout a table' },
  'html-srcset': { because: 'only a source of a picture has it' },
  'html-style': { because: inHead },
  'html-width': { because: 'pictures have pixels and tables per cent, which are supported' },
}

/** Longhands of which caniemail measures the shorthand. */
const propertyPage = (name: string): string =>
  withoutPage.has(name) ? name : `css-${name.replace(/^(border|padding|margin)-(top|right|bottom|left|color)$/, '$1')}`

const elementPages: Record<string, string> = {
  ...Object.fromEntries(['tbody', 'tr', 'td', 'th'].map((name) => [name, 'html-table'])),
  ...Object.fromEntries(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((name) => [name, 'html-h1-h6'])),
  ...Object.fromEntries(['ul', 'ol', 'li'].map((name) => [name, 'html-lists'])),
  source: 'html-picture',
}
const elementPage = (name: string): string =>
  withoutPage.has(`<${name}>`) ? `<${name}>` : (elementPages[name] ?? `html-${name}`)

const attributePages: Record<string, string> = { class: 'css-selector-class', media: 'html-picture' }
const attributePage = (name: string): string =>
  withoutPage.has(name) ? name : (attributePages[name] ?? `html-${name}`)

/** Every feature of a mail by its page, with the values that it is used with. */
function featuresOf(html: string): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  const add = (page: string, value = '') => {
    found.set(page, (found.get(page) ?? new Set()).add(value))
  }
  const addDeclarations = (declarations: string) => {
    for (const declaration of declarations.split(';').filter(Boolean)) {
      const [, name = '', value = ''] = /^([\w-]+):(.*?)(?: !important)?$/.exec(declaration) ?? []
      expect(name, declaration).not.toBe('')
      if (declaration.includes('!')) add('css-important')
      add(value === 'none' && name === 'display' ? 'css-display-none' : propertyPage(name), value)
      const plain = name === 'font-family' ? '' : value.replaceAll(/#[0-9A-Fa-f]{6}/g, '')
      for (const [, unit] of plain.matchAll(/\d(%|[a-z]+)/g)) add(`css-unit-${unit === '%' ? 'percent' : unit}`)
      for (const [, name] of plain.matchAll(/([\w-]+)\(/g)) add(`css-function-${name}`)
    }
  }
  const addSelectors = (selectors: string) => {
    if (selectors.includes(',')) add('css-selector-grouping')
    for (const selector of selectors.split(',')) {
      if (selector.includes(' ')) add('css-selector-descendant')
      for (const simple of selector.split(' ')) {
        const kind = /^\.[\w-]+$/.test(simple) ? 'class' : /^\w+$/.test(simple) ? 'type' : null
        add(kind ? `css-selector-${kind}` : withoutPage.has(simple) ? simple : `selector ${simple}`)
      }
    }
  }
  const shown = html.replaceAll(/<!--\[if mso\]>.*?<!\[endif\]-->/gs, '')
  expect(shown).toMatch(/^<!doctype html>/)
  add('html-doctype')
  const [, css = ''] = /<style>(.*?)<\/style>/s.exec(shown) ?? []
  for (const [, media] of css.matchAll(/@([^{]*)\{/g)) {
    expect(media).toMatch(/^media ?\((max-width:\d+px|prefers-color-scheme:dark)\)$/)
    add(media?.includes('prefers') ? 'css-at-media-prefers-color-scheme' : 'css-at-media')
  }
  for (const [, selectors = '', declarations = ''] of css
    .replaceAll(/@[^{]*\{/g, '')
    .matchAll(/([^{}]+)\{([^{}]*)\}/g)) {
    addSelectors(selectors)
    addDeclarations(declarations)
  }
  for (const [, name = '', attributes = ''] of shown.matchAll(/<(\w+)((?: [\w-]+="[^"]*")*) ?\/?>/g)) {
    add(elementPage(name))
    if (attributes.includes(' name="color-scheme"')) add('html-meta-color-scheme')
    for (const [, attribute = '', value = ''] of attributes.matchAll(/ ([\w-]+)="([^"]*)"/g)) {
      add(attributePage(attribute.toLowerCase()), value)
      if (attribute === 'style') addDeclarations(value)
    }
  }
  return found
}

const used = featuresOf(articleMail().html + houseMail().html)

const isEverywhere = (page: string): boolean => /^[y ]+$/.test(features[page]?.support ?? '')

test('every feature of our mails was measured', () => {
  expect([...used.keys()].filter((page) => !withoutPage.has(page) && !features[page])).toEqual([])
})

test('every feature is supported by Gmail, Outlook, Apple Mail and Yahoo, or is one that may be missing', () => {
  const known = [...used.keys()].filter((page) => features[page])
  expect(known.filter((page) => !isEverywhere(page) && !excuses[page])).toEqual([])
  for (const [page, { values }] of Object.entries(excuses))
    for (const value of used.get(page) ?? []) if (values) expect(value, page).toMatch(values)
})

test('no feature and no excuse is listed that our mails do not need', () => {
  expect(Object.keys(features).filter((page) => !used.has(page))).toEqual([])
  expect(Object.keys(excuses).filter((page) => !used.has(page) || isEverywhere(page))).toEqual([])
  for (const { support } of Object.values(features))
    expect(support.replaceAll(' ', '')).toHaveLength(caniemail.clients.length)
})

test.each([
  ['<p style="display:flex">', 'css-display'],
  ['<p style="gap:4px">', 'css-gap'],
  ['<p style="font-size:1.2rem">', 'css-unit-rem'],
  ['<p style="width:calc(1px)">', 'css-function-calc'],
  ['<video controls="">', 'html-video'],
])('a new feature is noticed: %s', (markup, page) => {
  const values = featuresOf(`<!doctype html>${markup}`).get(page)
  expect(values).toBeDefined()
  const allowed = features[page] && [...(values ?? [])].every((value) => excuses[page]?.values?.test(value) ?? true)
  expect(Boolean(allowed)).toBe(false)
})
