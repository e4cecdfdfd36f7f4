import { parseMail } from './parsed-mail.ts'
import { fieldsOf, json, namesOf, noSuchRecipient, outcomeOf, type Provider, refused, wordsOf } from './provider.ts'

/** https://resend.com/docs/api-reference/emails/send-email, its errors in /docs/api-reference/errors */
export const resend = (key: string): Provider => ({
  kind: 'resend',
  host: 'api.resend.com',
  async compose(message) {
    const { from, to, replyTo, subject, html, text, headers, attachments } = await parseMail(message)
    const names = namesOf(message)
    const said = json({
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
      body: said.body,
      headers: {
        ...said.headers,
        authorization: `Bearer ${key}`,
        // Taken once within 24 hours, however often it is asked.
        ...(names && { 'idempotency-key': `${names.publication}/${names.subscriber}` }),
      },
    }
  },
  outcome(answer) {
    const { name, message, id } = fieldsOf(answer)
    const text = wordsOf(name, message, id)
    if (answer.status === 409) {
      // Asked twice at the same time: the first has not been answered yet. With another text: the first was taken.
      if (name === 'concurrent_idempotent_requests') return { kind: 'answered', code: 451, text, command: 'DATA' }
      return { kind: 'broken', written: true, text }
    }
    // The key makes asking again harmless, so there is nothing to be unsure of.
    if (answer.status === 502 || answer.status === 504) return outcomeOf({ ...answer, status: 500 }, text)
    if (answer.status !== 400 && answer.status !== 422) return outcomeOf(answer, text)
    if (/`to`/.test(text)) return noSuchRecipient(text)
    if (/`from`/.test(text)) return refused(text)
    return outcomeOf(answer, text)
  },
})
