import { z } from 'zod'
import { enhancedStatusIn } from '../../mail/enhanced-status.ts'
import { fieldsOf, json, namesOf, noSuchRecipient, outcomeOf, refused, wordsOf } from './api.ts'
import { parseMail } from './parsed-mail.ts'
import type { ConfigOf, HttpApi, Provider, ProviderEvent, WebhookReader } from './provider.ts'
import { header, hmac, isRecent, isSame, parseJson } from './webhook.ts'

export const resend: Provider<'resend'> = {
  service: {
    name: 'Resend',
    smtpHosts: /(^|\.)resend\.com$/,
    spfInclude: 'amazonses.com',
    signing: 'instead',
    ownEnvelope: true,
  },
  fromUrl: ({ user }) => ({ way: { kind: 'resend' }, secret: user }),
  accountField: null,
  api,
  webhooks: () => webhooks,
  feedbackRules: [
    { events: ['email.bounced'], details: ['permanent'], means: 'hard' },
    { events: ['email.bounced'], means: 'soft' },
    { events: ['email.suppressed'], means: 'hard' },
    { events: ['email.complained'], means: 'complaint' },
  ],
}

/** https://resend.com/docs/api-reference/emails/send-email, its errors in /docs/api-reference/errors */
function api(_config: ConfigOf<'resend'>, key: string): HttpApi {
  return {
    host: 'api.resend.com',
    async compose(message) {
      const { from, to, replyTo, subject, html, text, headers, attachments } = await parseMail(message)
      const names = namesOf(message)
      const given = json({
        from,
        to: [to],
        subject,
        headers: Object.fromEntries(headers.map(({ name, value }) => [name, value])),
        attachments: attachments.map(({ name, type, content, contentId }) => ({
          filename: name,
          content,
          content_type: type,
          ...(contentId && { content_id: contentId }),
        })),
        ...(html !== null && { html }),
        ...(text !== null && { text }),
        ...(replyTo && { reply_to: replyTo }),
        ...(names && { tags: Object.entries(names).map(([name, value]) => ({ name, value })) }),
      })
      return {
        path: '/emails',
        body: given.body,
        headers: {
          ...given.headers,
          authorization: `Bearer ${key}`,
          // Within 24 hours Resend accepts each key once, however often we ask.
          ...(names && { 'idempotency-key': `${names.publication}/${names.subscriber}` }),
        },
      }
    },
    outcome(answer) {
      const { name, message, id } = fieldsOf(answer)
      const text = wordsOf(name, message, id)
      if (answer.status === 409) {
        // Either the first request with this key has no answer yet, or it was accepted with another text.
        if (name === 'concurrent_idempotent_requests') return { kind: 'answered', code: 451, text, command: 'DATA' }
        return { kind: 'broken', written: true, text }
      }
      // The key makes asking again harmless, so the outcome is not uncertain.
      if (answer.status === 502 || answer.status === 504) return outcomeOf({ ...answer, status: 500 }, text)
      if (answer.status !== 400 && answer.status !== 422) return outcomeOf(answer, text)
      if (/`to`/.test(text)) return noSuchRecipient(text)
      if (/`from`/.test(text)) return refused(text)
      return outcomeOf(answer, text)
    },
  }
}

const Tags = z.union([
  z.record(z.string(), z.unknown()),
  z
    .array(z.object({ name: z.string(), value: z.unknown() }))
    .transform((tags) => Object.fromEntries(tags.map(({ name, value }) => [name, value]))),
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
/** A secret that is not base64 decodes to an empty key, with which anybody could sign. Svix makes keys of 24 bytes. */
const MIN_KEY_BYTES = 16

/** https://resend.com/docs/dashboard/webhooks/verify-webhooks-requests: the signature of Svix over `id.timestamp.body`. */
const webhooks: WebhookReader = {
  async receive(webhook, { secret, now }) {
    const [id, timestamp] = [header(webhook, 'svix-id'), header(webhook, 'svix-timestamp')]
    if (secret === null || !id || !isRecent(timestamp, now, MAX_AGE_SECONDS)) return null
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
    if (key.length < MIN_KEY_BYTES) return null
    const expected = hmac(key, Buffer.concat([Buffer.from(`${id}.${timestamp}.`), webhook.body]))
    const signatures = header(webhook, 'svix-signature').split(' ', 10)
    const isSigned = signatures.some(
      (one) => one.startsWith('v1,') && isSame(Buffer.from(one.slice(3), 'base64'), expected),
    )
    return isSigned ? { events: readEvents(parseJson(webhook.body)) } : null
  },
}

function readEvents(body: unknown): ProviderEvent[] {
  const { success, data } = Event.safeParse(body)
  if (!success) return []
  const { bounce, tags } = data.data
  const words = [bounce?.diagnosticCode ?? []].flat().join(' ') || bounce?.message || ''
  return [
    {
      event: data.type.toLowerCase(),
      detail: bounce?.type?.toLowerCase() ?? null,
      status: enhancedStatusIn(words),
      words,
      names: tags ?? {},
    },
  ]
}
