import { z } from 'zod'
import { enhancedStatusIn } from '../../mail/enhanced-status.ts'
import { hmac, isRecent, isSame, jsonOf, type Provider } from './webhook.ts'

const Signed = z.object({
  signature: z.object({ timestamp: z.string(), token: z.string().min(1).max(200), signature: z.string() }),
})

const Event = z.object({
  'event-data': z.object({
    event: z.string(),
    severity: z.string().nullish(),
    reason: z.string().nullish(),
    'delivery-status': z
      .object({
        message: z.string().nullish(),
        description: z.string().nullish(),
        'enhanced-code': z.string().nullish(),
      })
      .nullish(),
    'user-variables': z.record(z.string(), z.unknown()).nullish(),
  }),
})

const MAX_AGE_SECONDS = 15 * 60

/**
 * https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/securing-webhooks: what is signed is a token and a
 * time, not what is told; so a token is believed once.
 */
export const mailgun: Provider = {
  isTrue(webhook, key, now) {
    const { success, data } = Signed.safeParse(jsonOf(webhook))
    if (!success) return false
    const { timestamp, token, signature } = data.signature
    const isOurs = isSame(Buffer.from(signature, 'hex'), hmac(key, timestamp + token))
    return isOurs && isRecent(timestamp, now, MAX_AGE_SECONDS)
  },
  once: (webhook) => Signed.safeParse(jsonOf(webhook)).data?.signature.token ?? '',
  read(body) {
    const { success, data } = Event.safeParse(body)
    if (!success) return []
    const told = data['event-data']
    const status = told['delivery-status']
    const words = status?.message || status?.description || ''
    return [
      {
        source: 'mailgun',
        event: told.event.toLowerCase(),
        detail: (told.reason?.startsWith('suppress-') ? told.reason : told.severity)?.toLowerCase() ?? null,
        status: enhancedStatusIn(status?.['enhanced-code'] ?? '') ?? enhancedStatusIn(words),
        words,
        names: told['user-variables'] ?? {},
      },
    ]
  },
}
