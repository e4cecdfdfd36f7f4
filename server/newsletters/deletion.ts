import { sql } from 'kysely'
import type { z } from 'zod'
import { listCampaigns, stateOf } from '../campaigns/opt-in/queries.ts'
import type { Context } from '../context.ts'
import { soldStates } from '../sponsorship/bookings/coming.ts'
import type { readDeletion } from './contract.ts'

type Hurt = z.input<typeof readDeletion.reply>

/** Whom it would hurt to delete a newsletter now. */
export async function whoIsHurt({ db, now }: Pick<Context, 'db' | 'now'>, newsletterId: string): Promise<Hurt> {
  const at = now()
  const { rows } = await sql<Omit<Hurt, 'campaigns'>>`
    select
      (select count(distinct subscriber_id)::integer from subscription
        where newsletter_id = ${newsletterId} and not test and status in ('active', 'past_due', 'paused')
          and (paid_until is null or paid_until > ${at})) as "paidAhead",
      (select count(*)::integer from booking
        where newsletter_id = ${newsletterId} and state = any(${soldStates}::text[])) as bookings,
      (select count(*)::integer from booking where newsletter_id = ${newsletterId} and state = 'accepted') as accepted,
      (select count(*)::integer from publication
        where newsletter_id = ${newsletterId} and state = 'scheduled') as scheduled`.execute(db)
  const campaigns = (await listCampaigns(db, newsletterId)).filter((campaign) => stateOf(campaign, at) === 'running')
  return { ...(rows[0] ?? { paidAhead: 0, bookings: 0, accepted: 0, scheduled: 0 }), campaigns: campaigns.length }
}
