import { spawnSync } from 'node:child_process'
import PostalMime from 'postal-mime'
import { expect } from 'vitest'

/** A message as one of the two parsers reads it. Lines end with `\n`. */
export interface Reading {
  subject: string
  sender: string
  to: string
  text: string
  html: string
}

/** PostalMime gives the line end before a boundary to the part; RFC 2046 section 5.1.1 gives it to the boundary. */
const withoutEnd = (text: string): string => text.replace(/\n$/, '')
const withLineEnds = (text: string): string => text.replaceAll('\r\n', '\n')

export async function readByPostalMime(raw: Buffer): Promise<Reading> {
  const { subject = '', from, to, text = '', html = '' } = await PostalMime.parse(raw)
  return {
    subject,
    sender: from?.name ?? '',
    to: to?.map(({ address }) => address).join(' ') ?? '',
    text: withoutEnd(text),
    html: withoutEnd(html),
  }
}

const script = `
import sys, json, base64, email, email.policy
for line in sys.stdin:
    m = email.message_from_bytes(base64.b64decode(line), policy=email.policy.default)
    text, html = m.iter_parts()
    defects = sum((list(p.defects) for p in m.walk()), []) + sum((list(h.defects) for h in m.values()), [])
    print(json.dumps({'subject': m['subject'], 'sender': m['from'].addresses[0].display_name,
      'to': ' '.join(a.addr_spec for a in m['to'].addresses), 'text': text.get_content(), 'html': html.get_content(),
      'defects': [repr(d) for d in defects]}))`

/** The same messages read by the `email` package of Python, in one process; null where there is no Python. */
export function readByPython(raws: Buffer[]): (Reading & { defects: string[] })[] | null {
  const input = raws.map((raw) => raw.toString('base64')).join('\n')
  const run = spawnSync('python3', ['-c', script], { input, maxBuffer: 1e9, encoding: 'utf8' })
  if (run.error) return null
  if (run.status !== 0) throw new Error(run.stderr)
  return run.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
    .map((read) => ({ ...read, text: withLineEnds(read.text), html: withLineEnds(read.html) }))
}

/** Only an address or an id may be longer than the 78 columns that RFC 5322 section 2.1.1 asks for. */
const UNFOLDABLE = /^(To|Message-ID|List-Unsubscribe): \S+$|^ <\S+>$/

/** What any mail program and relay may rely on: RFC 5322 section 2.1.1, RFC 2045 section 6.7, RFC 5321 section 4.5.2. */
export function expectSound(raw: Buffer): void {
  const text = raw.toString('latin1')
  expect(text).toMatch(/^[\x20-\x7e\t\r\n]*$/)
  const lines = text.split('\r\n')
  const [header = [], body = []] = [lines.slice(0, lines.indexOf('')), lines.slice(lines.indexOf(''))]
  expect(lines.filter((line) => /[\r\n]|[ \t]$|^\./.test(line))).toEqual([])
  expect(header.filter((line) => line.length > 998 || (line.length > 78 && !UNFOLDABLE.test(line)))).toEqual([])
  expect(body.filter((line) => line.length > 76)).toEqual([])
}
