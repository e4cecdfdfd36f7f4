import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { articleMail, houseMail } from '../testing/sample-mails.ts'

const mails = [
  ['a publication', articleMail().html],
  ['a mail of the house', houseMail().html],
] as const

const tags = (html: string, name: string): string[] => html.match(new RegExp(`<${name}(?: [^>]*)?>`, 'g')) ?? []
const attribute = (tag: string, name: string): string | undefined => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1]

test.each(mails)('%s has a table of a fixed width for Outlook around the one that fits every window', (_, html) => {
  const comments = html.match(/<!--\[if mso\]>.*?<!\[endif\]-->/gs) ?? []
  expect(comments).toHaveLength(3)
  expect(comments[1]).toMatch(/<table role="presentation" align="center" width="600"[^>]*><tr><td><!\[endif\]-->$/)
  expect(comments[2]).toBe('<!--[if mso]></td></tr></table><![endif]-->')
  expect(html.replaceAll(/<!--.*?-->/gs, '')).not.toMatch(/<sheet|mso/)
  expect(html).toMatch(/<table [^>]*class="wrap"[^>]*width:100%;max-width:600px/)
})

test.each(mails)('in %s every element with a font of its own has the class for a font of Windows', (_, html) => {
  const withFont = html.match(/<\w+ [^>]*font-family:[^>]*>/g) ?? []
  expect(withFont.length).toBeGreaterThan(5)
  for (const tag of withFont) {
    const last = /font-family:([^;"]*)/.exec(tag)?.[1]?.split(',').at(-1)
    const kind = { serif: 'serif', 'sans-serif': 'sans', monospace: 'mono' }[last ?? '']
    expect(attribute(tag, 'class')?.split(' '), tag).toContain(kind)
  }
  for (const kind of ['serif', 'sans', 'mono'])
    expect(html).toMatch(new RegExp(`\\.${kind}\\{font-family:[^}]* !important\\}`))
})

test.each(mails)('where pictures are off, %s shows their words and no empty box', (_, html) => {
  const pictures = tags(html, 'img').filter((tag) => attribute(tag, 'width') !== '1')
  expect(pictures.length).toBeGreaterThan(0)
  for (const tag of pictures) {
    const logo = tag.includes('logo.png')
    expect(attribute(tag, 'height'), tag).toBe(logo ? '44' : undefined)
    expect(attribute(tag, 'style'), tag).toMatch(/(^|;)height:auto/)
    if (!logo) expect(attribute(tag, 'width'), tag).toMatch(/^\d+$/)
    if (attribute(tag, 'alt')) expect(attribute(tag, 'style'), tag).toMatch(/font-family:.*font-size:\d+px/)
  }
})

/**
 * The rules of SpamAssassin 4.0.1 that count hidden and tiny text, as its `72_active.cf` has them: `__FONT_INVIS`,
 * `__STY_INVIS`, `__HTML_FONT_TINY_01`, `__AC_TINY_FONT`, `__LONG_INVIS_DIV`. From them are FONT_INVIS_NORDNS,
 * FONT_INVIS_MSGID, HTML_FONT_TINY_NORDNS, STY_INVIS_DIRECT, HTML_TEXT_INVISIBLE_STYLE and LONG_INVISIBLE_TEXT.
 */
const hiddenText = [
  /<(?!style)[a-z]+\s[^>]{1,80}(?:font(?:-size)?\s*:\s*(?:0*[01](?:\.\d+)?(?:px|pt|Q|vw|vh|vmin)|0+(?:\.\d+)?(?:cm|mm|pc|ch|rem|lh|vmax|%)|0+(?:\.0\d*)(?:em|ex|in))(?:\s[a-z]|\s*[;'])|['"\s;]color\s*:\s*transparent\s*[;'])[^>]{0,80}>\w/i,
  /\bstyle\s*=\s*"[^">]{0,80}(?:(?<!-)visibility\s*:\s*hidden\s*|display\s*:\s*none\s*)[;"!]/i,
  /font-size:\s{0,5}[0-4]px;/i,
  /(?:font-size)\s*:\s*[1-3]\s*(?:em|p[tx]|%)?(?:\s*!important)?\s*[";]/i,
  /<div\s+style\s*=\s*"(?:(?<!-)visibility\s*:\s*hidden|display\s*:\s*none)\s*">[^<\s]{1400}/i,
]

test.each(mails)('the preheader of %s costs no point for hidden or tiny text', (_, html) => {
  for (const rule of hiddenText) expect(html).not.toMatch(rule)
})

test('SpamAssassin, where it is installed, counts no hidden text in a mail from a host without a name', {
  timeout: 60_000,
}, ({ skip }) => {
  const input = [
    'Received: from mail.lowwater.test (unknown [192.0.32.7]) by mx.example.org; Sat, 21 Nov 2026 20:00:00 +0000',
    'From: ines@lowwater.test\r\nTo: ada@example.org\r\nSubject: Brest\r\nDate: Sat, 21 Nov 2026 20:00:00 +0000',
    'Message-ID: <a.b@lowwater.test>\r\nMIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8',
    `Content-Transfer-Encoding: 8bit\r\n\r\n${houseMail().html}`,
  ].join('\r\n')
  const { error, stdout } = spawnSync('spamassassin', ['--local', '--test-mode'], { input, encoding: 'utf8' })
  if (error) skip('SpamAssassin is not on this machine')
  expect(stdout).toContain('HTML_MESSAGE')
  expect(stdout).not.toMatch(/FONT_INVIS|FONT_TINY|STY_INVIS|INVISIBLE|OBFU_ZW|ZW_OBFU/)
})
