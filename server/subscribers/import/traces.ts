import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../database/client.ts'
import type { StayReason } from './contract.ts'
import { proofOf, suppressedBy } from './proof.ts'

/**
 * Why each of these people, whom an import has added, stays when it is taken back; null for who is as the import left them. The first reason
 * counts. Nobody stays as left when all that the file says is to go. What the house only plans for somebody, such as a digest, is none. A test compares the tables with the register of personal data.
 */
export async function findTraces(
  tx: Db,
  { newsletter_id, id, drops_left }: { newsletter_id: string; id: string; drops_left: boolean },
  subscriberIds: string[],
): Promise<{ id: string; stays: StayReason | null }[]> {
  const of = (table: string) =>
    sql`exists (select from ${sql.table(table)} x where x.newsletter_id = s.newsletter_id and x.subscriber_id = s.id)`
  const named = (table: string, column: string) => sql`
    array[lower(s.email), s.email_normalised] && array(
      select lower(${sql.ref(column)}) from ${sql.table(table)} where newsletter_id = ${newsletter_id} and ${sql.ref(column)} is not null)`
  const addressed = (which: RawBuilder<unknown>) => sql`
    exists (select from publication p join delivery d on d.newsletter_id = p.newsletter_id and d.publication_id = p.id
      where p.newsletter_id = s.newsletter_id and d.subscriber_id = s.id ${which})`
  const { rows } = await sql<{ id: string; stays: StayReason | null }>`
    select s.id, case
      when ${of('subscription')} or ${of('entitlement')} or ${of('payment')} or ${of('stripe_customer')}
        or ${named('gift_order', 'buyer_email')} or ${named('gift_order', 'recipient_email')} then 'paid'
      when ${named('booking', 'email')} then 'booked'
      when ${addressed(sql`and d.state in ('accepted', 'uncertain')`)}
        or ${of('confirmation_mail')} or ${of('feedback')} then 'mailed'
      when ${of('click')} or exists (select from click_waiting w where s.id = any(w.subscriber_id)) then 'clicked'
      when s.changed_at is not null or ${of('event')} or ${of('opt_in')} or ${of('reader_session')}
        or ${of('recommendation_yes')} or ${of('recommendation_choice')} or ${of('lifted_suppression')}
        or ${of('subscriber_note')} or ${of('subscriber_edit')}
        or exists (select from consent c where c.newsletter_id = s.newsletter_id and c.subscriber_id = s.id
          and not (c.means = 'import' and starts_with(c.proof, ${proofOf(id)})))
        or exists (select from suppression x where x.newsletter_id = s.newsletter_id
          and x.email_normalised = s.email_normalised and x.detail <> ${suppressedBy(id)}) then 'changed'
      when ${addressed(sql`and d.state = 'caught'`)} then 'caught'
      when ${addressed(sql``)} then 'unreached'
      when ${!drops_left} and s.status in ('unsubscribed', 'bounced', 'complained') then 'left'
      end as stays
    from subscriber s where s.newsletter_id = ${newsletter_id} and s.id = any(${subscriberIds}::uuid[])`.execute(tx)
  return rows
}
