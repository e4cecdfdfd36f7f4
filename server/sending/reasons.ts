import { sql } from 'kysely'
import type { Db } from '../database/client.ts'
import type { AgainState } from './delivery-state.ts'
import type { PublicationKey } from './sending.ts'

export interface Reason {
  reason: string
  /** One of the answers, whole. */
  answer: string
  count: number
}

/** The list of reasons looks at so many deliveries, which takes one or two seconds. */
const MAX_EXAMINED = 100_000
const MAX_REASONS = 50
/** Few enough that other requests hardly wait while their answers are read. */
const AT_ONCE = 2_000

const enhancedCode = /^[[(<#]*[245]\.\d{1,3}\.\d{1,3}[\])>:;,.]*$/
const replyCode = /^(\w+;)?[245]\d\d(-[245]\.\d{1,3}\.\d{1,3})?[:;,]?$/

/**
 * An answer without what differs from subscriber to subscriber: addresses, ids and numbers become “…”. SMTP codes (RFC 5321
 * section 4.2) and enhanced status codes (RFC 3463) stay. It is `answer_pattern` of the database, which takes ten times as long.
 */
export function reasonOf(answer: string): string {
  const words = answer.replaceAll(/^ +| +$/g, '').split(/\s+/)
  const shown = words.map((word, place) => {
    if (!/[@\d]/.test(word) || enhancedCode.test(word)) return word
    if (replyCode.test(word) && (place === 0 || /[:;]$/.test(words[place - 1] ?? ''))) return word
    return `…${/[:;,.]+$/.exec(word)?.[0] ?? ''}`
  })
  const pattern = shown.join(' ').replaceAll(/…[:;,.]?( …[:;,.]?)+/g, '…')
  return Array.from(pattern.slice(0, 600)).slice(0, 300).join('')
}

/** The answers of the deliveries in one state, most frequent first. They are counted among the first 100,000 of them. */
export async function findReasons(db: Db, publication: PublicationKey, state: AgainState): Promise<Reason[]> {
  const reasons = new Map<string, Reason>()
  let examined = 0
  for await (const answers of answersOf(db, publication, state)) {
    for (const { answer } of answers) {
      const reason = reasonOf(answer)
      const known = reasons.get(reason)
      if (known) known.count += 1
      else reasons.set(reason, { reason, answer, count: 1 })
    }
    examined += answers.length
    if (examined >= MAX_EXAMINED) break
  }
  return [...reasons.values()].sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1)).slice(0, MAX_REASONS)
}

/** The deliveries in one state with their answers, in the order of their subscribers, some thousands at a time. */
export async function* answersOf(
  db: Db,
  { newsletterId, publicationId }: PublicationKey,
  state: AgainState,
): AsyncGenerator<{ subscriberId: string; answer: string }[]> {
  for (let last = '00000000-0000-0000-0000-000000000000'; ; ) {
    const { rows } = await sql<{ subscriberId: string; answer: string }>`
      select subscriber_id as "subscriberId", answer from delivery
      where newsletter_id = ${newsletterId} and publication_id = ${publicationId} and trouble = ${state}
        and subscriber_id > ${last} and answer is not null
      order by subscriber_id limit ${AT_ONCE}`.execute(db)
    const end = rows.at(-1)
    if (!end) return
    yield rows
    last = end.subscriberId
  }
}
