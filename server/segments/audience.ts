import { sql } from 'kysely'
import { planName } from '../charge/plans/plan-name.ts'
import type { Db } from '../database/client.ts'
import { AppError } from '../errors.ts'
import type { SendingAudience } from '../subscribers/audience.ts'
import type { AudienceChoice } from './contract.ts'
import { findSegment } from './segments.ts'

/** The audience that was chosen, with the filter of its segment as it is now. The segment stays until the transaction ends. @throws AppError segment_not_found, plan_not_found */
export async function audienceOf(db: Db, newsletterId: string, choice: AudienceChoice): Promise<SendingAudience> {
  if (choice.kind === 'everyone') return { kind: 'everyone' }
  if (choice.kind === 'plan')
    return { kind: 'plan', plan: choice.plan, name: await nameOf(db, newsletterId, choice.plan) }
  const { segmentId } = choice
  const { name, filter } = await findSegment(db, { newsletterId, segmentId }, 'lock')
  return { kind: 'segment', segmentId, name, filter }
}

/** The name of a plan in the newsletter's language, else in one that it has. */
async function nameOf(db: Db, newsletterId: string, plan: 'paid' | 'free' | number): Promise<string | null> {
  if (typeof plan === 'string') return null
  const { rows } = await sql<{ name: string }>`
    select ${planName('p', sql.ref('n.language'))} as name
    from plan p join newsletter n on n.id = p.newsletter_id
    where p.newsletter_id = ${newsletterId} and p.id = ${plan} and p.kind = 'paid'`.execute(db)
  if (!rows[0]) throw new AppError('plan_not_found')
  return rows[0].name
}
