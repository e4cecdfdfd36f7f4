import { z } from 'zod'
import { enhancedStatusIn } from '../../mail/enhanced-status.ts'
import { header, hmac, isSame, type Provider } from './webhook.ts'

const Event = z.object({
  RecordType: z.enum(['Bounce', 'SpamComplaint']),
  Type: z.string().default(''),
  Description: z.string().nullish(),
  Details: z.string().nullish(),
  Metadata: z.record(z.string(), z.unknown()).nullish(),
})

/** https://postmarkapp.com/developer/webhooks/bounce-webhook: nothing is signed; who knows the password is believed. */
export const postmark: Provider = {
  isTrue(webhook, secret) {
    const [, basic = ''] = /^Basic (.+)$/i.exec(header(webhook, 'authorization')) ?? []
    const password = Buffer.from(basic, 'base64')
      .toString('utf8')
      .replace(/^[^:]*:/, '')
    // Digests are of one length, so that not even the password’s length is told.
    return isSame(hmac('postmark', password), hmac('postmark', secret))
  },
  read(body) {
    const { success, data } = Event.safeParse(body)
    if (!success) return []
    const words = data.Details || data.Description || ''
    return [
      {
        source: 'postmark',
        event: data.RecordType.toLowerCase(),
        detail: data.Type.toLowerCase(),
        status: enhancedStatusIn(words),
        words,
        names: data.Metadata ?? {},
      },
    ]
  },
}
