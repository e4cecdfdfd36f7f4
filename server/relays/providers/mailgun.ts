import type { RelayConfig } from '../contract.ts'
import { fieldsOf, namesOf, noSuchRecipient, outcomeOf, type Provider, refused, wordsOf } from './provider.ts'

type Way = Extract<RelayConfig, { kind: 'mailgun' }>

const hosts = { us: 'api.mailgun.net', eu: 'api.eu.mailgun.net' }

/** https://documentation.mailgun.com/docs/mailgun/api-reference/send/mailgun/messages */
export const mailgun = ({ domain, region }: Way, key: string): Provider => ({
  kind: 'mailgun',
  host: hosts[region],
  async compose(message) {
    const form = new FormData()
    form.set('to', message.to)
    form.set('message', new Blob([new Uint8Array(message.raw)], { type: 'message/rfc822' }), 'message.eml')
    // Our links are our own, and the message is signed and shall leave as it is.
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
})
