import PostalMime from 'postal-mime'
import type { RelayConfig } from '../relays/contract.ts'

/** What a fake relay does with the next messages. */
export type Behaviour =
  | 'accepts'
  | 'knows nobody'
  | 'doubts our sender'
  | 'wants less'
  | 'knows us not'
  | 'fails'
  | 'hangs up'

/** A message as it arrived, whatever it travelled in. */
export interface Arrived {
  to: string
  from: string
  subject: string
  html: string
  text: string
  headers: Record<string, string>
  attachments: { type: string; content: string; contentId: string | null }[]
  /** What the sender proved itself with. */
  secret: string
  /** Newsletter, publication and subscriber, where the kind has a place for them. */
  names: Record<string, string> | null
  path: string
  requestHeaders: Record<string, string>
}

export interface FakeRelay {
  way: RelayConfig
  secret: string
  /** For the kinds that are asked over HTTP. */
  gateway: string | null
  mood: Behaviour
  arrived: Arrived[]
  stop(): Promise<void>
}

export const plain = (headers: [string, string][]) =>
  Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]))

export async function ofRaw(raw: Buffer | string) {
  const mail = await PostalMime.parse(raw, { attachmentEncoding: 'base64' })
  return {
    from: mail.from?.name ? `"${mail.from.name}" <${mail.from.address}>` : (mail.from?.address ?? ''),
    subject: mail.subject ?? '',
    html: mail.html ?? '',
    text: mail.text ?? '',
    headers: plain(mail.headers.map(({ key, value }) => [key, value])),
    attachments: mail.attachments.map(({ mimeType, content, contentId }) => ({
      type: mimeType,
      content: String(content),
      contentId: contentId?.replace(/^<|>$/g, '') ?? null,
    })),
  }
}
