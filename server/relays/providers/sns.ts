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
type SnsMessage = z.infer<typeof Message>

const signed = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  SubscriptionConfirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
  UnsubscribeConfirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
} as const

const FETCH_MS = 5_000
const MAX_CERTIFICATE = 20_000

/** Amazon's notification service. Checks its messages, and sends requests to its servers only, whatever a message names. */
export class Sns {
  readonly #certificates = new LRUCache<string, string>({ max: 50, ttl: 24 * 3600 * 1000 })

  /** @param gateway the address that stands in the place of Amazon; null: Amazon itself */
  constructor(private readonly gateway: string | null) {}

  /** A message as it claims to be, or null for anything else. */
  read(body: unknown): SnsMessage | null {
    return Message.safeParse(body).data ?? null
  }

  /**
   * Whether Amazon signed a message: https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html
   * @throws Error when the certificate of its signature cannot be fetched
   */
  async isSigned(message: SnsMessage): Promise<boolean> {
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

  /** Confirms a subscription. @returns false when its address is not Amazon's */
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
    if (!text.startsWith('-----BEGIN CERTIFICATE-----')) throw new Error(`There is no certificate at ${url.href}`)
    this.#certificates.set(url.href, text)
    return text
  }

  async #get(url: URL): Promise<string> {
    const asked = this.gateway ? new URL(url.pathname + url.search, this.gateway) : url
    // Amazon's hosts have private addresses inside Amazon's own network, and no other host gets here.
    return limitedFetch(asked, { timeoutMs: FETCH_MS, maxBytes: MAX_CERTIFICATE, mayBePrivate: true })
  }
}

/** Only Amazon's own hosts: with the certificate of another host anybody could sign. */
function amazonAddress(text: string): URL | null {
  if (!URL.canParse(text)) return null
  const url = new URL(text)
  const isAmazon = /^sns\.[a-z]{2}(-[a-z]+)+-\d\.amazonaws\.com(\.cn)?$/.test(url.hostname)
  return url.protocol === 'https:' && isAmazon && url.port === '' && url.username === '' ? url : null
}
