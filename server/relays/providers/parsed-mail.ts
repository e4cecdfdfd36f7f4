import PostalMime, { type Address } from 'postal-mime'
import type { Message } from '../../mail/relay.ts'

/** A message taken apart, for providers that put it together themselves. */
export interface ParsedMail {
  from: string
  to: string
  replyTo: string | null
  subject: string
  html: string | null
  text: string | null
  /** Those that say more than the other fields: Message-ID, List-Unsubscribe, … */
  headers: { name: string; value: string }[]
  attachments: { name: string; type: string /** base64 */; content: string; contentId: string | null }[]
}

/** Said by the other fields, or made anew by who puts it together. */
const said =
  /^(from|to|cc|bcc|subject|reply-to|sender|date|mime-version|content-.+|dkim-signature|received|return-path)$/

export async function parseMail({ raw, to }: Message): Promise<ParsedMail> {
  const mail = await PostalMime.parse(raw, { attachmentEncoding: 'base64' })
  const [reader, ...others] = mail.to ?? []
  return {
    from: mail.from ? written(mail.from) : '',
    to: reader?.address === to && others.length === 0 ? written(reader) : to,
    replyTo: mail.replyTo?.map(written).join(', ') || null,
    subject: mail.subject ?? '',
    html: mail.html ?? null,
    text: mail.text ?? null,
    headers: mail.headers
      .filter(({ key }) => !said.test(key))
      .map(({ originalKey, value }) => ({ name: originalKey, value })),
    attachments: mail.attachments.map(({ filename, mimeType, content, contentId }) => ({
      name: filename ?? 'attachment',
      type: mimeType,
      content: String(content),
      contentId: contentId?.replace(/^<|>$/g, '') ?? null,
    })),
  }
}

/** `"Name" <address>` (RFC 5322 section 3.4); in JSON the name needs no encoding. */
function written({ name, address = '' }: Address): string {
  return name ? `"${name.replaceAll(/["\\]/g, '\\$&')}" <${address}>` : address
}
