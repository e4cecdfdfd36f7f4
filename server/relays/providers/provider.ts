import type { Message, Outcome } from '../../mail/relay.ts'
import type { RelayKind } from '../contract.ts'

/** What a provider is asked: always a POST. */
export interface ProviderRequest {
  path: string
  headers: Record<string, string>
  body: Buffer
}

export interface ProviderAnswer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: string
}

/** A provider's HTTP API: how a message is said in it, and what its answers mean. */
export interface Provider {
  kind: RelayKind
  host: string
  compose(message: Message): ProviderRequest | Promise<ProviderRequest>
  outcome(answer: ProviderAnswer): Outcome
}

/** What an answer means as SMTP would say it, for all that the provider's own codes do not say better. */
export function outcomeOf(answer: ProviderAnswer, words: string): Outcome {
  const { status, headers } = answer
  const text = words || `HTTP ${status}`
  const answered = (code: number, command = 'DATA') => ({ kind: 'answered', code, text, command }) as const
  if (status < 300) return answered(250)
  if (status === 429) return { ...answered(421), ...retryAfter(headers['retry-after']) }
  // A gateway that lost what it asked: the provider itself may have taken the message.
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

/** The address is wrong for good. */
export const noSuchRecipient = (text: string): Outcome => ({ kind: 'answered', code: 550, text, command: 'RCPT TO' })

/** The account or the sender is refused, and would be for everybody: another relay may take it. */
export const refused = (text: string): Outcome => ({ kind: 'refused', text })

/** The fields of a JSON answer; none when it is something else. */
export function fieldsOf({ body }: ProviderAnswer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** Joins what there is of an answer's words. */
export const wordsOf = (...parts: unknown[]): string =>
  parts
    .filter((part) => typeof part === 'string' || typeof part === 'number')
    .join(' ')
    .trim()

/** Names the delivery, so that a webhook can: by the same three names at every provider. */
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
