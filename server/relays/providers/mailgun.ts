import { z } from 'zod'
import { enhancedStatusIn } from '../../mail/enhanced-status.ts'
import { fieldsOf, namesOf, noSuchRecipient, outcomeOf, refused, wordsOf } from './api.ts'
import type { ConfigOf, HttpApi, Provider, ProviderEvent, WebhookReader } from './provider.ts'
import { hmac, isRecent, isSame, parseJson } from './webhook.ts'

export const mailgun: Provider<'mailgun'> = {
  service: {
    name: 'Mailgun',
    smtpHosts: /(^|\.)mailgun\.org$/,
    spfInclude: 'mailgun.org',
    signing: 'also',
    ownEnvelope: true,
  },
  fromUrl: ({ user, host, query }) => ({
    way: { kind: 'mailgun', domain: host, region: query.get('region') ?? 'us' },
    secret: user,
  }),
  accountField: null,
  api,
  webhooks: () => webhooks,
  feedbackRules: [
    { events: ['failed'], details: ['suppress-bounce'], means: 'hard' },
    { events: ['failed'], details: ['suppress-complaint'], means: 'complaint' },
    { events: ['failed'], details: ['permanent'], means: 'by answer' },
    { events: ['complained'], means: 'complaint' },
  ],
}

const hosts = { us: 'api.mailgun.net', eu: 'api.eu.mailgun.net' }

/** https://documentation.mailgun.com/docs/mailgun/api-reference/send/mailgun/messages */
function api({ domain, region }: ConfigOf<'mailgun'>, key: string): HttpApi {
  return {
    host: hosts[region],
    async compose(message) {
      const form = new FormData()
      form.set('to', message.to)
      form.set('message', new Blob([new Uint8Array(message.raw)], { type: 'message/rfc822' }), 'message.eml')
      // Tracking by Mailgun would rewrite our links and so break the signature.
      form.set('o:tracking', 'no')
      for (const [name, value] of Object.entries(namesOf(message) ?? {})) form.set(`v:${name}`, value)
      const multipart = new Response(form)
      const headers = {
        authorization: `Basic ${Buffer.from(`api:${key}`).toString('base64')}`,
        'content-type': multipart.headers.get('content-type') ?? '',
        accept: 'application/json',
      }
      return { path: `/v3/${domain}/messages.mime`, headers, body: Buffer.from(await multipart.arrayBuffer()) }
    },
    outcome(answer) {
      const { message, id } = fieldsOf(answer)
      const text = wordsOf(message ?? answer.body.slice(0, 200), id)
      if (answer.status !== 400) return outcomeOf(answer, text)
      if (/^'?to'? parameter/i.test(text)) return noSuchRecipient(text)
      if (/^'?from'? parameter/i.test(text)) return refused(text)
      return outcomeOf(answer, text)
    },
  }
}

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
 * https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/securing-webhooks: the signature covers a token and
 * a time, not the event. So each token is accepted once.
 */
const webhooks: WebhookReader = {
  async receive({ body }, { secret, now }) {
    const json = parseJson(body)
    const signed = Signed.safeParse(json).data
    if (!signed || secret === null) return null
    const { timestamp, token, signature } = signed.signature
    const isOurs = isSame(Buffer.from(signature, 'hex'), hmac(secret, timestamp + token))
    if (!isOurs || !isRecent(timestamp, now, MAX_AGE_SECONDS)) return null
    return { events: readEvents(json), onceToken: token }
  },
}

function readEvents(json: unknown): ProviderEvent[] {
  const { success, data } = Event.safeParse(json)
  if (!success) return []
  const { event, reason, severity, 'delivery-status': status, 'user-variables': names } = data['event-data']
  const words = status?.message || status?.description || ''
  return [
    {
      event: event.toLowerCase(),
      detail: (reason?.startsWith('suppress-') ? reason : severity)?.toLowerCase() ?? null,
      status: enhancedStatusIn(status?.['enhanced-code'] ?? '') ?? enhancedStatusIn(words),
      words,
      names: names ?? {},
    },
  ]
}
