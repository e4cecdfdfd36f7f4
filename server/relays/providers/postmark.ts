import { z } from 'zod'
import { enhancedStatusIn } from '../../mail/enhanced-status.ts'
import { fieldsOf, json, namesOf, noSuchRecipient, outcomeOf, refused, wordsOf } from './api.ts'
import { parseMail } from './parsed-mail.ts'
import type { ConfigOf, HttpApi, Provider, ProviderEvent, WebhookReader } from './provider.ts'
import { header, hmac, isSame, parseJson } from './webhook.ts'

export const postmark: Provider<'postmark'> = {
  service: {
    name: 'Postmark',
    smtpHosts: /(^|\.)(postmarkapp\.com|mtasv\.net)$/,
    spfInclude: 'spf.mtasv.net',
    signing: 'instead',
    ownEnvelope: true,
  },
  fromUrl: ({ user, host }) => ({ way: { kind: 'postmark', messageStream: host || 'broadcast' }, secret: user }),
  accountField: null,
  api,
  webhooks: () => webhooks,
  feedbackRules: [
    { events: ['bounce'], details: ['hardbounce', 'bademailaddress', 'manuallydeactivated'], means: 'hard' },
    { events: ['bounce'], details: ['spamcomplaint'], means: 'complaint' },
    {
      events: ['bounce'],
      details: ['softbounce', 'transient', 'dnserror', 'blocked', 'spamnotification', 'undeliverable', 'dmarcpolicy'],
      means: 'soft',
    },
    { events: ['spamcomplaint'], means: 'complaint' },
  ],
}

/** https://postmarkapp.com/developer/api/email-api, its codes in /developer/api/overview#error-codes */
function api({ messageStream }: ConfigOf<'postmark'>, token: string): HttpApi {
  return {
    host: 'api.postmarkapp.com',
    async compose(message) {
      const { from, to, replyTo, subject, html, text, headers, attachments } = await parseMail(message)
      const names = namesOf(message)
      const given = json({
        From: from,
        To: to,
        Subject: subject,
        MessageStream: messageStream,
        TrackOpens: false,
        TrackLinks: 'None',
        // Without it Postmark replaces our Message-ID.
        Headers: [...headers, { name: 'X-PM-KeepID', value: 'true' }].map(({ name, value }) => ({
          Name: name,
          Value: value,
        })),
        Attachments: attachments.map(({ name, type, content, contentId }) => ({
          Name: name,
          ContentType: type,
          Content: content,
          ...(contentId && { ContentID: `cid:${contentId}` }),
        })),
        ...(html !== null && { HtmlBody: html }),
        ...(text !== null && { TextBody: text }),
        ...(replyTo && { ReplyTo: replyTo }),
        ...(names && { Metadata: names }),
      })
      return { path: '/email', ...given, headers: { ...given.headers, 'x-postmark-server-token': token } }
    },
    outcome(answer) {
      const { ErrorCode: code, Message, MessageID } = fieldsOf(answer)
      const words = wordsOf(Message, MessageID)
      if (answer.status !== 422) return outcomeOf(answer, words)
      const text = wordsOf(code, Message)
      // 406: inactive, because it bounced or complained. 300: some address is wrong.
      if (code === 406 || (code === 300 && /'To'|recipient/i.test(text))) return noSuchRecipient(text)
      // Sender not known or not confirmed; out of credits, not approved yet, suspended; no such stream.
      const ours = [400, 401, 405, 412, 413].includes(Number(code)) || /'From'|\bstream\b/i.test(text)
      return ours ? refused(text) : outcomeOf(answer, text)
    },
  }
}

const Event = z.object({
  RecordType: z.enum(['Bounce', 'SpamComplaint']),
  Type: z.string().default(''),
  Description: z.string().nullish(),
  Details: z.string().nullish(),
  Metadata: z.record(z.string(), z.unknown()).nullish(),
})

/** https://postmarkapp.com/developer/webhooks/bounce-webhook: not signed, but sent with a password. */
const webhooks: WebhookReader = {
  async receive(webhook, { secret }) {
    if (secret === null) return null
    const [, basic = ''] = /^Basic (.+)$/i.exec(header(webhook, 'authorization')) ?? []
    const password = Buffer.from(basic, 'base64')
      .toString('utf8')
      .replace(/^[^:]*:/, '')
    // All digests have the same length, so the comparison does not reveal the length of the password.
    const isKnown = isSame(hmac('postmark', password), hmac('postmark', secret))
    return isKnown ? { events: readEvents(parseJson(webhook.body)) } : null
  },
}

function readEvents(body: unknown): ProviderEvent[] {
  const { success, data } = Event.safeParse(body)
  if (!success) return []
  const words = data.Details || data.Description || ''
  return [
    {
      event: data.RecordType.toLowerCase(),
      detail: data.Type.toLowerCase(),
      status: enhancedStatusIn(words),
      words,
      names: data.Metadata ?? {},
    },
  ]
}
