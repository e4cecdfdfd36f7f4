import PostalMime, { type Address } from 'postal-mime'
import type { Message } from '../../mail/relay.ts'

/** The parts of a message, for providers that compose it themselves. */
export interface ParsedMail {
  from: string
  to: string
  replyTo: string | null
  subject: string
  html: string | null
  text: string | null
  /** Headers that the other fields do not contain: Message-ID, List-Unsubscribe, … */
  headers: { name: string; value: string }[]
  attachments: { name: string; type: string /** base64 */; content: string; contentId: string | null }[]
}

/** Headers that the other fields contain, or that the provider makes itself. */
const omittedHeader =
  /^(from|to|cc|bcc|subject|reply-to|sender|date|mime-version|content-.+|dkim-signature|received|return-path)$/

export async function parseMail({ raw, to }: Message): Promise<ParsedMail> {
  const mail = await PostalMime.parse(raw, { attachmentEncoding: 'base64' })
  const [recipient, ...others] = mail.to ?? []
  return {
    from: mail.from ? formatted(mail.from) : '',
    to: recipient?.address === to && others.length === 0 ? formatted(recipient) : to,
    replyTo: mail.replyTo?.map(formatted).join(', ') || null,
    subject: mail.subject ?? '',
    html: mail.html ?? null,
    text: mail.text ?? null,
    headers: mail.headers
      .filter(({ key }) => !omittedHeader.test(key))
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
function formatted({ name, address = '' }: Address): string {
  return name ? `"${name.replaceAll(/["\\]/g, '\\$&')}" <${address}>` : address
}
