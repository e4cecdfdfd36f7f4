import { sql } from 'kysely'
import type { Db } from '../database/client.ts'
import { uuidv7 } from '../database/ids.ts'
import type { Language } from '../languages.ts'

/** Somebody asked that this address subscribes. `wording` is what they ticked. */
export interface Request {
  newsletterId: string
  email: string
  normalised: string
  name: string | null
  language: Language
  source: 'page' | 'api'
  wording: string
  wordingVersion: string
  wordingLanguage: Language
  network: string | null
  at: Date
}

/** A pending address is asked again after five minutes, an active one is told that it is active once a day. */
const ASK_AGAIN = '5 minutes'
const TELL_AGAIN = '1 day'

const DEADLOCK = '40P01'

/**
 * Stores requests to subscribe in one transaction and one statement, with a receipt, an event and a queued mail for each
 * that is new or due. Suppressed, bounced and complained addresses stay as they are, and nobody can tell from outside.
 */
export async function storeRequests(db: Db, requests: Request[]): Promise<undefined[]> {
  const unique = new Map(requests.map((request) => [`${request.newsletterId} ${request.normalised}`, request]))
  const wanted = [...unique.values()]
  try {
    await insertRequests(db, wanted)
  } catch (error) {
    // Two processes met over the same addresses; the other one has won and this one begins again.
    if ((error as { code?: unknown }).code !== DEADLOCK) throw error
    await insertRequests(db, wanted)
  }
  return requests.map(() => undefined)
}

const insertRequests = (db: Db, wanted: Request[]) =>
  sql`
    with wanted as (
      select w.* from unnest(
        ${wanted.map((r) => r.newsletterId)}::text[], ${wanted.map((r) => uuidv7(r.at.getTime()))}::uuid[],
        ${wanted.map((r) => r.email)}::text[], ${wanted.map((r) => r.normalised)}::text[],
        ${wanted.map((r) => r.name)}::text[], ${wanted.map((r) => r.language)}::text[],
        ${wanted.map((r) => r.source)}::text[], ${wanted.map((r) => r.wording)}::text[],
        ${wanted.map((r) => r.wordingVersion)}::text[], ${wanted.map((r) => r.wordingLanguage)}::text[],
        ${wanted.map((r) => r.network)}::text[], ${wanted.map((r) => r.at.toISOString())}::timestamptz[],
        ${wanted.map((r) => uuidv7(r.at.getTime()))}::uuid[], ${wanted.map((r) => uuidv7(r.at.getTime()))}::uuid[]
      ) as w (newsletter_id, id, email, email_normalised, name, language, source,
        wording, wording_version, wording_language, network, at, consent_id, event_id)
      where not exists (select from suppression p
        where p.newsletter_id = w.newsletter_id and p.email_normalised = w.email_normalised)
    ),
    -- Locked in one order, so that two processes with the same addresses wait for each other and do not embrace.
    due as (
      select s.newsletter_id, s.id, s.email_normalised, s.status from subscriber s join wanted w using (newsletter_id, email_normalised)
      where (s.status in ('pending', 'unsubscribed') and s.asked_at <= w.at - ${ASK_AGAIN}::interval)
        or (s.status = 'unsubscribed' and s.asked_at <= s.left_at)
        or (s.status = 'active' and greatest(s.asked_at, s.confirmed_at) <= w.at - ${TELL_AGAIN}::interval)
      order by s.newsletter_id, s.email_normalised for update of s
    ),
    added as (
      insert into subscriber (newsletter_id, id, email, email_normalised, name, language, status, source, created_at, asked_at)
      select newsletter_id, id, email, email_normalised, name, language, 'pending', source, at, at
      from wanted order by newsletter_id, email_normalised
      on conflict (newsletter_id, email_normalised) do nothing
      returning newsletter_id, id, email_normalised
    ),
    asked_again as (
      update subscriber s set asked_at = w.at, language = case d.status when 'active' then s.language else w.language end
      from due d join wanted w using (newsletter_id, email_normalised)
      where s.newsletter_id = d.newsletter_id and s.id = d.id
      returning s.newsletter_id, s.id, s.email_normalised, d.status
    ),
    asked as (
      select newsletter_id, id, email_normalised from added
      union all select newsletter_id, id, email_normalised from asked_again where status <> 'active'
    ),
    receipts as (
      insert into consent (newsletter_id, id, subscriber_id, act, wording, wording_version, language, means, network, at)
      select w.newsletter_id, w.consent_id, a.id, 'asked', w.wording, w.wording_version, w.wording_language,
        w.source, w.network, w.at
      from asked a join wanted w using (newsletter_id, email_normalised)
    ),
    events as (
      insert into event (newsletter_id, id, at, kind, subscriber_id)
      select w.newsletter_id, w.event_id, w.at, 'asked', a.id
      from asked a join wanted w using (newsletter_id, email_normalised)
    ),
    mails as (
      select newsletter_id, id from added union all select newsletter_id, id from asked_again
    )
    select graphile_worker.add_jobs(array_agg(row('ask_confirmation',
      json_build_object('newsletterId', newsletter_id, 'subscriberId', id), null, null, 12, null, null, null
    )::graphile_worker.job_spec)) from mails having count(*) > 0`.execute(db)
