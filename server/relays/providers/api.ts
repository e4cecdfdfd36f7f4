import type { Message, Outcome } from '../../mail/relay.ts'
import type { ApiAnswer } from './provider.ts'

/** The outcome in the terms of SMTP, for every answer that the provider's own error codes do not explain better. */
export function outcomeOf(answer: ApiAnswer, words: string): Outcome {
  const { status, headers } = answer
  const text = words || `HTTP ${status}`
  const answered = (code: number) => ({ kind: 'answered', code, text, command: 'DATA' }) as const
  if (status < 300) return answered(250)
  if (status === 429) return { ...answered(421), ...retryAfter(headers['retry-after']) }
  // A gateway got no answer, and the provider behind it may have taken the message.
  if (status === 502 || status === 504) return { kind: 'broken', written: true, text }
  if (status >= 500 || status === 408 || status === 425) return answered(451)
  if (status === 413) return answered(552)
  if (status < 400 || [401, 402, 403, 404, 405].includes(status)) return { kind: 'refused', text }
  return answered(554)
}

const LONGEST_REST_SECONDS = 3_600

function retryAfter(header: string | string[] | undefined): { retryAfterMs?: number } {
  const seconds = Number(header)
  return seconds > 0 ? { retryAfterMs: Math.min(seconds, LONGEST_REST_SECONDS) * 1000 } : {}
}

/**
 * The provider says by its own code that the recipient's address cannot be written to. The status code (RFC 3463 section 3.2)
 * says it in the terms of SMTP.
 */
export const noSuchRecipient = (text: string): Outcome => ({
  kind: 'answered',
  code: 550,
  text: `5.1.3 ${text}`,
  command: 'RCPT TO',
})

/** The account or the sender is refused, whoever the recipient is. Another relay may take the message. */
export const refused = (text: string): Outcome => ({ kind: 'refused', text })

/** The fields of a JSON answer; none when it is something else. */
export function fieldsOf({ body }: ApiAnswer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

/** Joins those parts of an answer that are text or numbers. */
export const wordsOf = (...parts: unknown[]): string =>
  parts
    .filter((part) => typeof part === 'string' || typeof part === 'number')
    .join(' ')
    .trim()

/** The names by which a webhook can report the delivery: the same three at every provider. */
export const namesOf = ({
  delivery,
}: Message): { newsletter: string; publication: string; subscriber: string } | null =>
  delivery
    ? { newsletter: delivery.newsletterId, publication: delivery.publicationId, subscriber: delivery.subscriberId }
    : null

/** A JSON body and its header. */
export const json = (value: unknown) => ({
  headers: { 'content-type': 'application/json; charset=utf-8', accept: 'application/json' },
  body: Buffer.from(JSON.stringify(value)),
})
