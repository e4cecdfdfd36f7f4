import { createVerify } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { limitedFetch } from '../../net/fetch.ts'

const Message = z.object({
  Type: z.enum(['Notification', 'SubscriptionConfirmation', 'UnsubscribeConfirmation']),
  MessageId: z.string(),
  TopicArn: z.string().regex(/^arn:aws[\w-]*:sns:[a-z0-9-]+:\d{12}:[\w.-]{1,256}$/),
  Subject: z.string().nullish(),
  Message: z.string(),
  Timestamp: z.string(),
  Token: z.string().nullish(),
  SubscribeURL: z.string().nullish(),
  SignatureVersion: z.enum(['1', '2']),
  Signature: z.string(),
  SigningCertURL: z.string(),
})
export type SnsMessage = z.infer<typeof Message>

/** A message of Amazon's notification service, or null. */
export const readSns = (body: unknown): SnsMessage | null => Message.safeParse(body).data ?? null

const signed = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  SubscriptionConfirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
  UnsubscribeConfirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
} as const

const FETCH_MS = 5_000
const MAX_CERTIFICATE = 20_000

/** Speaks to Amazon's notification service, and to nobody else, whatever a message names. */
export class Sns {
  readonly #certificates = new LRUCache<string, string>({ max: 50, ttl: 24 * 3600 * 1000 })

  /** @param gateway stands in the place of Amazon; null: Amazon itself */
  constructor(private readonly gateway: string | null) {}

  /**
   * https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html
   * @throws Error when the certificate cannot be had
   */
  async isTrue(message: SnsMessage): Promise<boolean> {
    const url = amazonAddress(message.SigningCertURL)
    if (url?.search !== '' || !/^\/SimpleNotificationService-[\w-]{1,100}\.pem$/.test(url.pathname)) return false
    const certificate = await this.#certificate(url)
    const verify = createVerify(message.SignatureVersion === '1' ? 'RSA-SHA1' : 'RSA-SHA256')
    for (const name of signed[message.Type]) {
      const value = message[name]
      if (value != null) verify.update(`${name}\n${value}\n`)
    }
    try {
      return verify.verify(certificate, message.Signature, 'base64')
    } catch {
      return false
    }
  }

  /** Visits the address that confirms a subscription. @returns whether it is one */
  async confirm({ SubscribeURL }: SnsMessage): Promise<boolean> {
    const url = amazonAddress(SubscribeURL ?? '')
    if (!url) return false
    await this.#get(url)
    return true
  }

  async #certificate(url: URL): Promise<string> {
    const known = this.#certificates.get(url.href)
    if (known) return known
    const text = await this.#get(url)
    if (!text.startsWith('-----BEGIN CERTIFICATE-----')) throw new Error(`no certificate at ${url.href}`)
    this.#certificates.set(url.href, text)
    return text
  }

  async #get(url: URL): Promise<string> {
    const limits = { timeoutMs: FETCH_MS, maxBytes: MAX_CERTIFICATE }
    if (!this.gateway) return limitedFetch(url, limits)
    return limitedFetch(new URL(url.pathname + url.search, this.gateway), { ...limits, mayBePrivate: true })
  }
}

/** Only Amazon's own hosts for notifications: whoever may name another would sign for themselves. */
function amazonAddress(text: string): URL | null {
  if (!URL.canParse(text)) return null
  const url = new URL(text)
  const isAmazon = /^sns\.[a-z]{2}(-[a-z]+)+-\d\.amazonaws\.com(\.cn)?$/.test(url.hostname)
  return url.protocol === 'https:' && isAmazon && url.port === '' && url.username === '' ? url : null
}
