import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { AccountAct, AuditAct, AuditActor, AuditOutcome } from '../audit-acts.ts'
import type { Db } from '../database/client.ts'
import { uuidv7 } from '../database/ids.ts'
import { networkOf } from '../http/limits.ts'

/** One line of a newsletter's audit. */
export interface Line {
  newsletterId: string
  act: AuditAct
  actor: AuditActor
  userId?: string | null
  apiKeyId?: string | null
  /** The person that the act is about. */
  aboutUserId?: string | null
  /** As `networkOf` shortens it. */
  network?: string | null
  outcome?: AuditOutcome
  /** What a reader of the audit needs to understand the line. Never a secret. */
  detail?: Record<string, unknown>
}

/** In which newsletter something is done, by whom and from where. */
export type By = Pick<Line, 'newsletterId' | 'actor' | 'userId' | 'apiKeyId' | 'network'>

/** Whoever makes a call in a newsletter, as lines of the audit name them. */
export const callerOf = ({
  newsletterId,
  request: { caller, ip },
}: {
  newsletterId: string
  request: Pick<FastifyRequest, 'caller' | 'ip'>
}): By => ({
  newsletterId,
  actor: caller?.key ? 'api_key' : 'member',
  userId: caller?.user?.id ?? null,
  apiKeyId: caller?.key?.id ?? null,
  network: networkOf(ip),
})

/** Adds a line. In a transaction, it stands exactly when the act does. @returns its id */
export async function addLine(db: Db, line: Line): Promise<string> {
  const { newsletterId, act, actor, userId = null, apiKeyId = null, aboutUserId = null, network = null } = line
  const id = uuidv7()
  // Somebody who was deleted meanwhile is not named, and no more is who is not a member: an id must not open their address.
  await sql`insert into audit (newsletter_id, id, act, actor, user_id, api_key_id, about_user_id, network, outcome, detail)
    values (${newsletterId}, ${id}, ${act}, ${actor}, (select id from "user" where id = ${userId}), ${apiKeyId},
      (select user_id from member where newsletter_id = ${newsletterId} and user_id = ${aboutUserId}), ${network}, ${line.outcome ?? 'done'},
      ${JSON.stringify(line.detail ?? {})})`.execute(db)
  return id
}

/** An act at the door of an account: signing in, or a change of what protects it. */
export interface AccountLine {
  /** Null where the account is not known: then the line is only logged. */
  userId: string | null
  act: AccountAct
  outcome?: 'done' | 'refused'
  method?: string | null
  network: string | null
  device: string | null
}

/** So many lines in an hour for one account. A stranger who guesses passwords must not fill the database. */
const MAX_ACCOUNT_LINES = 60

/** Adds a line to the account's own list and to the log. */
export async function addAccountLine({ db, log }: { db: Db; log: Logger }, line: AccountLine): Promise<void> {
  const { userId, act, outcome = 'done', method = null, network, device } = line
  logLine(log, { act, outcome, user: userId, method, network })
  if (userId === null) return
  await sql`insert into account_event (id, user_id, act, outcome, method, network, device)
    select ${uuidv7()}, id, ${act}, ${outcome}, ${method}, ${network}, ${device?.slice(0, 200) ?? null} from "user"
    where id = ${userId} and (${outcome} = 'done' or ${MAX_ACCOUNT_LINES} > (select count(*) from account_event
      where user_id = ${userId} and at > now() - interval '1 hour'))`.execute(db)
}

/** Writes a line as JSON to standard output, at any level of the log. */
export function logLine(log: Logger, line: Record<string, unknown>): void {
  if (log.level !== 'silent') log.child({}, { level: 'info' }).info({ audit: line }, 'audit')
}
