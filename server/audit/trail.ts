import type { AuditOutcome } from '../audit-acts.ts'
import type { Context } from '../context.ts'
import type { Audited } from '../http/endpoint.ts'
import { Limit, SharedLimit } from '../http/limits.ts'
import { recentKeys } from '../http/recent-keys.ts'
import type { AuditLine, AuditTrail, Doer } from '../http/scope.ts'
import { textFields } from '../http/text-fields.ts'
import { addLine, callerOf, type Line, logLine } from './lines.ts'

/** A caller who asks for the same forbidden thing again within this time leaves no second line. */
const SAME_REFUSAL_SECONDS = 600
const MAX_REFUSALS = 10_000
/** Audited acts in a newsletter. A guest, whom nobody knows, must not fill the database with lines. */
const ACTS_AN_HOUR = 6_000
const GUEST_ACTS_AN_HOUR = 60
/** Of one value in a line, in characters. */
const MAX_VALUE = 200

/** Writes what calls of the API do: into the newsletter's audit, and as JSON into the log. */
export class Trail implements AuditTrail {
  readonly #acts = new Limit(ACTS_AN_HOUR, 3600)
  readonly #guestActs: SharedLimit
  readonly #refusals = recentKeys(MAX_REFUSALS, SAME_REFUSAL_SECONDS)

  constructor(private readonly context: Pick<Context, 'db' | 'pool' | 'log'>) {
    this.#guestActs = new SharedLimit(context.pool, {
      name: 'acts of guests',
      points: GUEST_ACTS_AN_HOUR,
      seconds: 3600,
    })
  }

  /** @throws AppError too_many_requests */
  async begin(doer: Doer, { act, keeps = [] }: Audited): Promise<AuditLine> {
    await (doer.caller.user?.isAnonymous ? this.#guestActs : this.#acts).take(doer.newsletterId)
    const { db, log } = this.context
    const { params, query, body } = doer.request
    const given: Record<string, unknown> = Object.assign({}, params, query, body)
    const kept: Record<string, unknown> = Object.fromEntries(
      keeps.flatMap((name) => (name in given ? [[name, short(given[name])]] : [])),
    )
    const line = { ...callerOf(doer), act, aboutUserId: textFields(params).userId ?? null, detail: kept }
    const id = await addLine(db, { ...line, outcome: 'begun' })
    const drop = async () => {
      const { newsletterId } = line
      await db.deleteFrom('audit').where('newsletter_id', '=', newsletterId).where('id', '=', id).execute()
    }
    return {
      drop,
      note: (more) => Object.assign(line.detail, more),
      async forget(names) {
        for (const name of names) delete line.detail[name]
        if (Object.keys(line.detail).length === 0) await drop()
      },
      async complete(status) {
        const outcome = outcomeOf(status)
        logLine(log, { ...line, outcome })
        const completed = db.updateTable('audit').set({ outcome, detail: JSON.stringify(line.detail) })
        await completed
          .where('newsletter_id', '=', line.newsletterId)
          .where('id', '=', id)
          .execute()
          // The act is over, and its line says that it was begun.
          .catch((error: unknown) => log.error({ err: error }, 'a line of the audit could not be completed'))
      },
    }
  }

  async refused(doer: Doer): Promise<void> {
    if (this.#isRepeated(doer)) return
    const line: Line = { ...callerOf(doer), act: 'access_refused', outcome: 'refused', detail: callOf(doer) }
    logLine(this.context.log, { ...line })
    await addLine(this.context.db, line)
  }

  strange(doer: Doer): void {
    if (!this.#isRepeated(doer))
      logLine(this.context.log, { ...callerOf(doer), act: 'strange_newsletter', ...callOf(doer) })
  }

  #isRepeated(doer: Doer): boolean {
    const { newsletterId, userId, apiKeyId } = callerOf(doer)
    const { method, path } = callOf(doer)
    const key = [newsletterId, userId, apiKeyId, method, path].join(' ')
    const repeated = this.#refusals.has(key)
    if (!repeated) this.#refusals.set(key, true)
    return repeated
  }
}

const callOf = ({ request }: Doer) => ({ method: request.method, path: request.routeOptions.url ?? '' })

function outcomeOf(status: number): AuditOutcome {
  if (status < 400) return 'done'
  return status < 500 ? 'refused' : 'failed'
}

/** A text or number as it is, and the fields' names of anything larger. */
function short(value: unknown): unknown {
  // PostgreSQL keeps no NUL, and no half of a character, as a cut may leave.
  if (typeof value === 'string')
    return value
      .replaceAll(/\p{Cc}/gu, ' ')
      .slice(0, MAX_VALUE)
      .toWellFormed()
  if (typeof value === 'object' && value !== null) return Object.keys(value).slice(0, 20)
  return value ?? null
}
