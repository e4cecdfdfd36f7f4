import { z } from 'zod'
import { enhancedStatusIn } from '../../mail/enhanced-status.ts'
import { header, hmac, isRecent, isSame, type Provider } from './webhook.ts'

const Tags = z.union([
  z.record(z.string(), z.unknown()),
  z.array(z.object({ name: z.string(), value: z.unknown() })).transform((tags) => {
    return Object.fromEntries(tags.map(({ name, value }) => [name, value]))
  }),
])

const Event = z.object({
  type: z.string(),
  data: z.object({
    bounce: z
      .object({
        type: z.string().nullish(),
        message: z.string().nullish(),
        diagnosticCode: z.union([z.string(), z.array(z.string())]).nullish(),
      })
      .nullish(),
    tags: Tags.nullish(),
  }),
})

const MAX_AGE_SECONDS = 5 * 60
/** What is no base64 leaves no key at all, with which anybody could sign. Svix makes 24 bytes. */
const LEAST_KEY_BYTES = 16

/** https://resend.com/docs/dashboard/webhooks/verify-webhooks-requests, signed as Svix signs: `id.timestamp.body`. */
export const resend: Provider = {
  isTrue(webhook, secret, now) {
    const [id, timestamp] = [header(webhook, 'svix-id'), header(webhook, 'svix-timestamp')]
    if (!id || !isRecent(timestamp, now, MAX_AGE_SECONDS)) return false
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
    if (key.length < LEAST_KEY_BYTES) return false
    const expected = hmac(key, Buffer.concat([Buffer.from(`${id}.${timestamp}.`), webhook.raw]))
    const signatures = header(webhook, 'svix-signature').split(' ', 10)
    return signatures.some((one) => one.startsWith('v1,') && isSame(Buffer.from(one.slice(3), 'base64'), expected))
  },
  read(body) {
    const { success, data } = Event.safeParse(body)
    if (!success) return []
    const { bounce, tags } = data.data
    const words = [bounce?.diagnosticCode ?? []].flat().join(' ') || bounce?.message || ''
    return [
      {
        source: 'resend',
        event: data.type.toLowerCase(),
        detail: bounce?.type?.toLowerCase() ?? null,
        status: enhancedStatusIn(words),
        words,
        names: tags ?? {},
      },
    ]
  },
}
