import type { RelayConfig } from '../contract.ts'
import { parseMail } from './parsed-mail.ts'
import { fieldsOf, json, namesOf, noSuchRecipient, outcomeOf, type Provider, refused, wordsOf } from './provider.ts'

type Way = Extract<RelayConfig, { kind: 'postmark' }>

/** https://postmarkapp.com/developer/api/email-api, its codes in /developer/api/overview#error-codes */
export const postmark = ({ messageStream }: Way, token: string): Provider => ({
  kind: 'postmark',
  host: 'api.postmarkapp.com',
  async compose(message) {
    const { from, to, replyTo, subject, html, text, headers, attachments } = await parseMail(message)
    const names = namesOf(message)
    const said = json({
      From: from,
      To: to,
      Subject: subject,
      MessageStream: messageStream,
      TrackOpens: false,
      TrackLinks: 'None',
      // Without it Postmark gives every message an id of its own.
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
    return { path: '/email', ...said, headers: { ...said.headers, 'x-postmark-server-token': token } }
  },
  outcome(answer) {
    const { ErrorCode: code, Message, MessageID } = fieldsOf(answer)
    const words = wordsOf(Message, MessageID)
    if (answer.status !== 422) return outcomeOf(answer, words)
    const text = wordsOf(code, Message)
    // 406: inactive, for it bounced or complained. 300: some address is wrong.
    if (code === 406 || (code === 300 && /'To'|recipient/i.test(text))) return noSuchRecipient(text)
    // Sender not known or not confirmed; out of credits, not approved yet, suspended; no such stream.
    const ours = [400, 401, 405, 412, 413].includes(Number(code)) || /'From'|\bstream\b/i.test(text)
    return ours ? refused(text) : outcomeOf(answer, text)
  },
})
