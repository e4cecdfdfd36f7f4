import { createHash, createHmac } from 'node:crypto'
import { SignatureV4 } from '@smithy/signature-v4'
import type { RelayConfig } from '../contract.ts'
import { fieldsOf, json, namesOf, noSuchRecipient, outcomeOf, type Provider, refused, wordsOf } from './provider.ts'

type Way = Extract<RelayConfig, { kind: 'ses' }>

/** Node's SHA-256, in the form in which the signer asks for it. */
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
    throw new Error('made anew each time')
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
export function ses({ region, accessKeyId, configurationSet }: Way, secretAccessKey: string): Provider {
  const host = `email.${region}.amazonaws.com`
  const credentials = { accessKeyId: accessKeyId ?? '', secretAccessKey }
  const signer = new SignatureV4({ service: 'ses', region, credentials, sha256: Sha256 })
  return {
    kind: 'ses',
    host,
    async compose(message) {
      const names = namesOf(message)
      const said = json({
        Destination: { ToAddresses: [message.to] },
        Content: { Raw: { Data: message.raw.toString('base64') } },
        ...(configurationSet && { ConfigurationSetName: configurationSet }),
        ...(names && { EmailTags: Object.entries(names).map(([Name, Value]) => ({ Name, Value })) }),
      })
      const request = { method: 'POST', protocol: 'https:', hostname: host, path, query: {}, body: said.body }
      const signed = await signer.sign({ ...request, headers: { ...said.headers, host } })
      // Who connects says the host, which is another one behind a gateway.
      const { host: _host, ...headers } = signed.headers
      return { path, headers, body: said.body }
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

const byName: Record<string, (text: string) => ReturnType<Provider['outcome']>> = {
  AccountSuspendedException: refused,
  SendingPausedException: refused,
  NotFoundException: refused,
  MailFromDomainNotVerifiedException: refused,
  // While the account is in the sandbox this is said of recipients too: verify the account, not them.
  MessageRejected: (text) =>
    /not verified/i.test(text) ? refused(text) : { kind: 'answered', code: 554, text, command: 'DATA' },
  LimitExceededException: later,
  TooManyRequestsException: later,
  BadRequestException: (text) =>
    /address|domain contains|local part/i.test(text)
      ? noSuchRecipient(text)
      : { kind: 'answered', code: 554, text, command: 'DATA' },
}
