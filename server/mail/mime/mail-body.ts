import { randomBytes } from 'node:crypto'
import { quotedPrintable } from './quoted-printable.ts'
import { cut, type Marks, type Segments } from './segments.ts'
import { type TemplateBytes, templateBytes } from './template.ts'

/** The body of a message, encoded: plain data, since a long one is encoded in a thread. */
export interface MailBody {
  boundary: string
  template: TemplateBytes
}

interface Alternatives {
  text: string
  html: string
}

/** Encodes a text and its HTML as `multipart/alternative` (RFC 2046 section 5.1.4). Both may contain marks of placeholders. */
export function mailBody({ text, html }: Alternatives, marks: Marks): MailBody {
  // Cannot occur in a part: quoted-printable never produces `=_` (RFC 2045 section 6.7).
  const boundary = `=_tirage_${randomBytes(12).toString('hex')}`
  const part = (type: string, content: string): Segments => [
    `--${boundary}\r\nContent-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n`,
    ...quotedPrintable(cut(content, marks)),
    '\r\n',
  ]
  const segments = [...part('text/plain', text), ...part('text/html', html), `--${boundary}--\r\n`]
  return { boundary, template: templateBytes(segments) }
}
