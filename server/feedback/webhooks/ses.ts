import { z } from 'zod'
import { enhancedStatusIn } from '../../mail/enhanced-status.ts'
import { withoutType } from '../report-fields.ts'
import type { ProviderEvent } from './webhook.ts'

const Event = z.object({
  eventType: z.string().nullish(),
  notificationType: z.string().nullish(),
  bounce: z
    .object({
      bounceType: z.string(),
      bouncedRecipients: z
        .array(z.object({ status: z.string().nullish(), diagnosticCode: z.string().nullish() }))
        .default([]),
    })
    .nullish(),
  complaint: z.object({ complaintFeedbackType: z.string().nullish() }).nullish(),
  mail: z.object({
    tags: z.record(z.string(), z.array(z.unknown())).nullish(),
    headers: z.array(z.object({ name: z.string(), value: z.string() })).nullish(),
  }),
})

/** https://docs.aws.amazon.com/ses/latest/dg/event-publishing-retrieving-sns-contents.html */
export function readSes(body: unknown): ProviderEvent[] {
  const { success, data } = Event.safeParse(body)
  if (!success) return []
  const { bounce, complaint, mail } = data
  const recipient = bounce?.bouncedRecipients[0]
  const words = withoutType(recipient?.diagnosticCode ?? '') ?? ''
  return [
    {
      source: 'ses',
      event: (data.eventType ?? data.notificationType ?? '').toLowerCase(),
      detail: (bounce?.bounceType ?? complaint?.complaintFeedbackType)?.toLowerCase() ?? null,
      status: enhancedStatusIn(recipient?.status ?? '') ?? enhancedStatusIn(words),
      words,
      names: Object.fromEntries(Object.entries(mail.tags ?? {}).map(([name, [value]]) => [name, value])),
      messageId: mail.headers?.find(({ name }) => name.toLowerCase() === 'message-id')?.value ?? null,
    },
  ]
}
