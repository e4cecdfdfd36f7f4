import { sql } from 'kysely'
import type { Db } from '../database/client.ts'
import { uuidv7 } from '../database/ids.ts'
import type { Signer } from '../http/signing.ts'
import type { Language } from '../languages.ts'
import { changeByConsent, insertEvents, insertReceipts, receiptArrays, receiptColumns } from './change.ts'
import { queueConfirmations } from './confirmation-queue.ts'
import type { Receipt } from './consent.ts'
import { wasErased, wasErasedWhileStopped } from './erased-addresses.ts'

/** A request that this address subscribes. The receipt holds what was ticked. */
export interface SubscriptionRequest {
  newsletterId: string
  email: string
  normalised: string
  name: string | null
  language: Language
  at: Date
  receipt: Receipt
  /** Where they came from, when the means of the receipt does not say it. */
  source?: 'campaign' | 'gift'
  /** Whether the address counts only once its owner has confirmed it. */
  confirms: boolean
  /** Whether a plan is entered for them with it, so that they may read before they confirm. */
  reads?: boolean
}

/** A pending address is asked again after five minutes. An active one gets a mail that says so once a day, and the first soon after its yes. */
const ASK_AGAIN = '5 minutes'
const REMIND_AGAIN = '1 day'
/** An address that bounced or complained is asked so rarely, by whomever. Who complained is asked by the page alone. */
export const ASK_BOUNCED_AGAIN_HOURS = 24
const ASK_COMPLAINED_AGAIN = '30 days'

/** The address of the row `w` of what was asked. */
const asked = { newsletterId: sql`w.newsletter_id`, normalised: sql`w.email_normalised` }

/** The id of a receipt or an event. They are read in the order of their ids, and the yes may have the same time. */
const beforeYes = ({ at }: SubscriptionRequest): string => uuidv7(at.getTime() - 1)

/**
 * Stores requests to subscribe and queues a mail for each that is new or due. An address that was suppressed by hand stays
 * as it is, and so does one that was suppressed and whose subscriber was erased. An address may be in `requests` once for each newsletter.
 */
export async function requestSubscriptions(db: Db, signer: Signer, requests: SubscriptionRequest[]): Promise<void> {
  await sql`
    with wanted as (
      select w.* from unnest(
        ${requests.map((r) => r.newsletterId)}::text[], ${requests.map((r) => uuidv7(r.at.getTime()))}::uuid[],
        ${requests.map((r) => r.email)}::text[], ${requests.map((r) => r.normalised)}::text[],
        ${requests.map((r) => r.name)}::text[], ${requests.map((r) => r.language)}::text[],
        ${receiptArrays(requests)}, ${requests.map((r) => r.at.toISOString())}::timestamptz[],
        ${requests.map(beforeYes)}::uuid[], ${requests.map(beforeYes)}::uuid[],
        ${requests.map((r) => r.reads ?? false)}::boolean[], ${requests.map((r) => r.source ?? null)}::text[]
      ) as w (newsletter_id, id, email, email_normalised, name, language, ${receiptColumns}, at, consent_id, event_id, reads, source)
      where not exists (select from suppression p
        where p.newsletter_id = w.newsletter_id and p.email_normalised = w.email_normalised and (p.reason = 'by_hand'
          or not exists (select from subscriber s
            where s.newsletter_id = w.newsletter_id and s.email_normalised = w.email_normalised)))
        and not ${wasErasedWhileStopped(signer, asked)}
    ),
    -- Locked in one order, so that two processes with the same addresses wait for each other and do not deadlock.
    due as (
      select s.newsletter_id, s.id, s.email_normalised, s.status from subscriber s join wanted w using (newsletter_id, email_normalised)
      left join suppression p using (newsletter_id, email_normalised)
      where case
        when p.reason is not null and s.status = 'active' then false
        when 'complained' in (s.status, p.reason) then
          w.means = 'page' and s.asked_at <= w.at - ${ASK_COMPLAINED_AGAIN}::interval
        when 'bounced' in (s.status, p.reason) then 
          s.asked_at <= w.at - ${ASK_BOUNCED_AGAIN_HOURS} * interval '1 hour'
        when s.status = 'active' then greatest(s.asked_at, s.confirmed_at) <= w.at - ${REMIND_AGAIN}::interval
          or (s.asked_at <= s.confirmed_at and s.confirmed_at <= w.at - ${ASK_AGAIN}::interval)
        when s.status = 'campaign_only' then true
        else s.asked_at <= w.at - ${ASK_AGAIN}::interval or (s.status = 'unsubscribed' and s.asked_at <= s.left_at)
      end
      order by s.newsletter_id, s.email_normalised for update of s
    ),
    added as (
      insert into subscriber (newsletter_id, id, email, email_normalised, name, language, status, source, created_at, asked_at)
      select newsletter_id, id, email, email_normalised, name, language, 'pending', coalesce(source, means), at, at
      from wanted order by newsletter_id, email_normalised
      on conflict (newsletter_id, email_normalised) do nothing
      returning newsletter_id, id, email_normalised
    ),
    asked_again as (
      update subscriber s set asked_at = w.at, language = case d.status when 'active' then s.language else w.language end,
        created_at = case d.status when 'campaign_only' then w.at else s.created_at end,
        status = case d.status when 'campaign_only' then 'pending' else s.status end,
        source = case d.status when 'campaign_only' then coalesce(w.source, w.means) else s.source end,
        name = case d.status when 'campaign_only' then w.name else s.name end
      from due d join wanted w using (newsletter_id, email_normalised)
      where s.newsletter_id = d.newsletter_id and s.id = d.id
      returning s.newsletter_id, s.id, s.email_normalised, d.status
    ),
    changed as (
      select w.*, a.id as subscriber_id, null::text as publication_id
      from (
        select newsletter_id, id, email_normalised from added
        union all select newsletter_id, id, email_normalised from asked_again where status <> 'active'
      ) a join wanted w using (newsletter_id, email_normalised)
    ),
    receipts as (${insertReceipts('asked', 'changed')}),
    events as (${insertEvents('asked', 'changed')}),
    mails as (
      select a.newsletter_id, a.id, w.reads from (
        select newsletter_id, id, email_normalised from added
        union all select newsletter_id, id, email_normalised from asked_again
      ) a join wanted w using (newsletter_id, email_normalised)
    ),
    queued as (${queueConfirmations('mails')})
    select pg_notify('confirmation_mail', '') from (select from mails limit 1) any_mail`.execute(db)
}

/**
 * Makes those active who have just asked for the first time, or who never confirmed, without a mail that they confirm. Who left, bounced,
 * complained or was erased before confirms as ever, so that nobody else can bring them back. The same statements run whatever is known of an
 * address, so that the time of the answer says nothing of it.
 */
export async function confirmAtOnce(tx: Db, signer: Signer, requests: SubscriptionRequest[]): Promise<void> {
  const { rows } = await sql<{ newsletterId: string; subscriberId: string; normalised: string }>`
    select s.newsletter_id as "newsletterId", s.id as "subscriberId", s.email_normalised as normalised
    from subscriber s join unnest(${requests.map((r) => r.newsletterId)}::text[], ${requests.map((r) => r.normalised)}::text[])
      w (newsletter_id, email_normalised) using (newsletter_id, email_normalised)
    where s.status = 'pending' and not ${wasErased(signer, asked)} for no key update of s`.execute(tx)
  const found = new Map(rows.map((row) => [`${row.newsletterId} ${row.normalised}`, row]))
  const changes = requests.flatMap(({ newsletterId, normalised, at, receipt }) => {
    const subscriber = found.get(`${newsletterId} ${normalised}`)
    return subscriber ? [{ ...subscriber, at, receipt }] : []
  })
  const confirmed = await changeByConsent(tx, 'confirmed', changes)
  await sql`delete from confirmation_mail m using unnest(${changes.map((c) => c.newsletterId)}::text[],
      ${changes.map((c) => c.subscriberId)}::uuid[]) as k (newsletter_id, id)
    where m.newsletter_id = k.newsletter_id and m.subscriber_id = k.id and m.subscriber_id = any(${confirmed}::uuid[])`.execute(
    tx,
  )
}
