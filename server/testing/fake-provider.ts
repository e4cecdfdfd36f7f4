import PostalMime from 'postal-mime'
import type { RelayConfig } from '../relays/contract.ts'

/** How a fake provider answers the next messages. */
export type Behaviour =
  | 'accepts'
  | 'knows nobody'
  | 'doubts our sender'
  | 'wants less'
  | 'knows us not'
  | 'fails'
  | 'hangs up'

/** A message as it arrived, by SMTP or by an API. */
export interface Arrived {
  to: string
  from: string
  subject: string
  html: string
  text: string
  headers: Record<string, string>
  attachments: { type: string; content: string; contentId: string | null }[]
  /** The password or key that came with it. */
  secret: string
  /** Newsletter, publication and subscriber, where the provider’s API has a place for them. */
  names: Record<string, string> | null
  path: string
  requestHeaders: Record<string, string>
}

export interface FakeProvider {
  config: RelayConfig
  secret: string
  /** The address of its API; null for SMTP. */
  httpApi: string | null
  behaviour: Behaviour
  arrived: Arrived[]
  stop(): Promise<void>
}

export const plain = (headers: [string, string][]) =>
  Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]))

export async function parsedMail(raw: Buffer | string) {
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
