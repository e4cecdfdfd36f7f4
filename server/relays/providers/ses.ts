import { createHash, createHmac } from 'node:crypto'
import { z } from 'zod'
import { enhancedStatusIn, withoutType } from '../../mail/enhanced-status.ts'
import type { Outcome } from '../../mail/relay.ts'
import { fieldsOf, json, namesOf, noSuchRecipient, outcomeOf, refused, wordsOf } from './api.ts'
import type { ConfigOf, HttpApi, Provider, ProviderEvent, WebhookReader } from './provider.ts'
import { Sns } from './sns.ts'
import { parseJson } from './webhook.ts'

export const ses: Provider<'ses'> = {
  service: {
    name: 'Amazon SES',
    smtpHosts: /(^|\.)amazonaws\.com$/,
    spfInclude: 'amazonses.com',
    signing: 'instead',
    ownEnvelope: true,
  },
  fromUrl: ({ user, password, host, query }) => ({
    way: { kind: 'ses', region: host, accessKeyId: user, configurationSet: query.get('configuration-set') },
    secret: password,
  }),
  accountField: 'accessKeyId',
  api,
  webhooks,
  feedbackRules: [
    { events: ['bounce'], details: ['permanent'], means: 'hard' },
    { events: ['bounce'], means: 'soft' },
    { events: ['complaint'], details: ['not-spam'], means: 'ignore' },
    { events: ['complaint'], means: 'complaint' },
  ],
}

/** Node's SHA-256, with the interface that the signer wants. */
class Sha256 {
  readonly #hash

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', bytesOf(secret))
  }

  update(data: Uint8Array): void {
    this.#hash.update(data)
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest()
  }

  reset(): void {
    throw new Error('The signer makes a new one each time')
  }
}

function bytesOf(secret: string | ArrayBuffer | ArrayBufferView): string | Uint8Array {
  if (typeof secret === 'string') return secret
  return ArrayBuffer.isView(secret)
    ? new Uint8Array(secret.buffer, secret.byteOffset, secret.byteLength)
    : new Uint8Array(secret)
}

const path = '/v2/email/outbound-emails'

/** https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html: the message as it is, signed by us. */
function api({ region, accessKeyId, configurationSet }: ConfigOf<'ses'>, secretAccessKey: string): HttpApi {
  const host = `email.${region}.amazonaws.com`
  const credentials = { accessKeyId: accessKeyId ?? '', secretAccessKey }
  // Few instances send by SES, and the package takes 2 MB.
  const signer = import('@smithy/signature-v4').then(
    ({ SignatureV4 }) => new SignatureV4({ service: 'ses', region, credentials, sha256: Sha256 }),
  )
  return {
    host,
    async compose(message) {
      const names = namesOf(message)
      const given = json({
        Destination: { ToAddresses: [message.to] },
        Content: { Raw: { Data: message.raw.toString('base64') } },
        ...(configurationSet && { ConfigurationSetName: configurationSet }),
        ...(names && { EmailTags: Object.entries(names).map(([Name, Value]) => ({ Name, Value })) }),
      })
      const request = { method: 'POST', protocol: 'https:', hostname: host, path, query: {}, body: given.body }
      const signed = await (await signer).sign({ ...request, headers: { ...given.headers, host } })
      // The connection sets the host, which is another one behind a gateway.
      const { host: _host, ...headers } = signed.headers
      return { path, headers, body: given.body }
    },
    outcome(answer) {
      const { message, Message, MessageId } = fieldsOf(answer)
      const name = String(answer.headers['x-amzn-errortype'] ?? '').split(':')[0] ?? ''
      const text = wordsOf(name || undefined, message ?? Message, MessageId) || answer.body.slice(0, 200)
      const meaning = Object.hasOwn(byName, name) ? byName[name] : undefined
      return meaning?.(text) ?? outcomeOf(answer, text)
    },
  }
}

const later = (text: string) => ({ kind: 'answered', code: 421, text, command: 'DATA' }) as const

const byName: Record<string, (text: string) => Outcome> = {
  AccountSuspendedException: refused,
  SendingPausedException: refused,
  NotFoundException: refused,
  MailFromDomainNotVerifiedException: refused,
  // While the account is in the sandbox, Amazon answers this for recipients too. It is the account that must be verified.
  MessageRejected: (text) =>
    /not verified/i.test(text) ? refused(text) : { kind: 'answered', code: 554, text, command: 'DATA' },
  LimitExceededException: later,
  TooManyRequestsException: later,
  BadRequestException: (text) =>
    /address|domain contains|local part/i.test(text)
      ? noSuchRecipient(text)
      : { kind: 'answered', code: 554, text, command: 'DATA' },
}

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

/**
 * Amazon reports by SNS. The secret is the topic, because anybody may have a topic for which Amazon signs: the first one
 * that subscribes is confirmed and kept, and no other is accepted until the secret is set anew.
 */
function webhooks(gateway: string | null): WebhookReader {
  const sns = new Sns(gateway)
  return {
    async receive({ body }, { secret: topic }) {
      const message = sns.read(parseJson(body))
      // The topic first: it costs nothing, and who does not know it makes this server fetch no certificate.
      if (!message || (topic !== null && topic !== message.TopicArn)) return null
      if (!(await sns.isSigned(message))) return null
      if (message.Type === 'SubscriptionConfirmation') {
        return (await sns.confirm(message)) ? { events: [], newSecret: message.TopicArn } : null
      }
      if (topic === null) return null
      return { events: message.Type === 'Notification' ? readEvents(parseJson(message.Message)) : [] }
    },
  }
}

/** https://docs.aws.amazon.com/ses/latest/dg/event-publishing-retrieving-sns-contents.html */
function readEvents(body: unknown): ProviderEvent[] {
  const { success, data } = Event.safeParse(body)
  if (!success) return []
  const { bounce, complaint, mail } = data
  const recipient = bounce?.bouncedRecipients[0]
  const words = withoutType(recipient?.diagnosticCode ?? '') ?? ''
  return [
    {
      event: (data.eventType ?? data.notificationType ?? '').toLowerCase(),
      detail: (bounce?.bounceType ?? complaint?.complaintFeedbackType)?.toLowerCase() ?? null,
      status: enhancedStatusIn(recipient?.status ?? '') ?? enhancedStatusIn(words),
      words,
      names: Object.fromEntries(Object.entries(mail.tags ?? {}).map(([name, [value]]) => [name, value])),
      messageId: mail.headers?.find(({ name }) => name.toLowerCase() === 'message-id')?.value ?? null,
    },
  ]
}
