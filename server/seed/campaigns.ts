import { sql } from 'kysely'
import { optInAddress } from '../campaigns/opt-in/address.ts'
import type { Config } from '../config.ts'
import type { Db } from '../database/client.ts'
import { type SampleCampaign, sampleCampaigns, sampleForOther } from './samples/campaigns.ts'
import { DAY } from './subscribers.ts'
import { drawOf, insertVisits, momentOf, type Visitors } from './visitors.ts'

interface Seeding {
  newsletterId: string
  visitors: Visitors
  now: number
}

type Place = SampleCampaign['places'][number]
type Of = Seeding & { campaign: SampleCampaign; toNewsletterId?: string }

/** Campaigns that ask readers, in each of their states, with their places, visits and yeses. A small demo has fewer yeses. */
export async function insertCampaigns(db: Db, config: Pick<Config, 'publicUrl'>, seeding: Seeding): Promise<void> {
  for (const campaign of sampleCampaigns) {
    const of = { ...seeding, campaign }
    await insertCampaign(db, config, of)
    let skipped = 0
    for (const place of campaign.places) {
      await visit(db, of, place)
      await insertYeses(db, { ...of, skipped }, place)
      if (place.by !== 'mail') await insertUnconfirmed(db, of, place)
      skipped += place.yes
    }
    await countTaken(db, of)
  }
}

/** A campaign of the first newsletter for the second one. Those who came there by it have said yes here. */
export async function insertCampaignForOther(
  db: Db,
  config: Pick<Config, 'publicUrl'>,
  seeding: Seeding & { toNewsletterId: string },
): Promise<void> {
  const of = { ...seeding, campaign: sampleForOther }
  await insertCampaign(db, config, of)
  for (const place of sampleForOther.places) {
    await visit(db, of, place)
    await sql`
      insert into opt_in (newsletter_id, campaign_id, id, subscriber_id, short_link_id, version, language, confirmed_at, passed_at, subscribed)
      select s.newsletter_id, ${sampleForOther.id}, gen_random_uuid(), s.id, ${place.link}, 2, s.language, t.confirmed_at, t.confirmed_at, true
      from subscriber t join subscriber s on s.newsletter_id = ${of.newsletterId} and s.email_normalised = t.email_normalised
      where t.newsletter_id = ${of.toNewsletterId} and t.source = 'campaign' and t.confirmed_at is not null`.execute(db)
  }
  await countTaken(db, of)
}

/** The first and the last moment of a campaign that has begun. */
function periodOf({ campaign: { from, until, withdrawn }, now }: Of): { from: number; until: number } | null {
  if (from === null) return null
  const last = Math.min(0, until ?? 0, withdrawn ?? 0)
  return { from: now + from * DAY, until: now + last * DAY }
}

async function insertCampaign(db: Db, config: Pick<Config, 'publicUrl'>, of: Of) {
  const { newsletterId, now, campaign, toNewsletterId = null } = of
  const { id, name, from, until, withdrawn, cap, accent, sponsor, words, places } = campaign
  const at = (days: number) => new Date(now + days * DAY)
  const key = { newsletter_id: newsletterId, id }
  const begun = at(from ?? -2)
  const links = places.map((place) => ({
    ...{ newsletter_id: newsletterId, id: place.link, name: place.name, target: optInAddress(config, id) },
    created_at: begun,
  }))
  await db.insertInto('short_link').values(links).execute()
  await db
    .insertInto('campaign')
    .values({
      ...{ ...key, kind: 'opt-in', name, version: 2, created_at: at((from ?? 0) - 3) },
      ...{ starts_at: from === null ? null : begun, ends_at: until === null ? null : at(until) },
      withdrawn_at: withdrawn === undefined ? null : at(withdrawn),
    })
    .execute()
  await db
    .insertInto('opt_in_campaign')
    .values({
      ...{ ...key, cap: typeof cap === 'number' ? cap : null, accent, short_link_id: places[0]?.link ?? '' },
      beneficiary: sponsor ? 'sponsor' : toNewsletterId ? 'other_newsletter' : 'newsletter',
      ...{ to_newsletter_id: toNewsletterId, accepted_at: toNewsletterId ? begun : null },
      ...{ sponsor_name: sponsor?.name ?? '', sponsor_address: sponsor?.address ?? '' },
      sponsor_privacy: sponsor?.privacy ?? '',
    })
    .execute()
  const written = (['en', 'fr'] as const).map((language) => {
    const { question, offer, yes, afterYes } = words[language]
    return { language, question, offer, yes, after_yes: afterYes }
  })
  await db
    .insertInto('campaign_words')
    .values(written.map((row) => ({ newsletter_id: newsletterId, campaign_id: id, version: 2, ...row })))
    .execute()
}

async function visit(db: Db, of: Of, { link, by, people, programs }: Place): Promise<void> {
  const period = periodOf(of)
  if (!period) return
  await insertVisits(db, of.visitors, { newsletterId: of.newsletterId, link, ...period, by, people, programs })
}

/** Subscribers who were there by then, each some minutes after a visit. One in fourteen took it back some days later. */
async function insertYeses(db: Db, of: Of & { skipped: number }, { link, yes }: Place): Promise<void> {
  const { newsletterId, now, campaign, skipped } = of
  const period = periodOf(of)
  if (!period) return
  const visited = momentOf({ link, ...period }, sql`s.place - ${skipped}::integer`)
  await sql`
    insert into opt_in (newsletter_id, campaign_id, id, subscriber_id, short_link_id, version, language, confirmed_at, undone_at, passed_at)
    select y.newsletter_id, ${campaign.id}, gen_random_uuid(), y.id, ${link}, 2, y.language, y.at,
      case when y.place % 14 = 5 then least(y.at + interval '3 days', ${new Date(now)}::timestamptz) end, y.at
    from (
      select s.newsletter_id, s.id, s.language, s.place, least(${new Date(period.until)}::timestamptz,
        ${visited} + interval '1 minute' * (1 + 7 * ${drawOf(sql`s.id::text || 'yes'`)})) as at
      from (
        select newsletter_id, id, language, row_number() over (order by md5(id::text || ${campaign.id})) as place from subscriber
        where newsletter_id = ${newsletterId} and status = 'active' and confirmed_at < ${new Date(period.from)}
      ) s where s.place > ${skipped}::integer and s.place <= ${skipped + yes}::integer
    ) y`.execute(db)
}

/** For nine who typed an address and confirmed it, one did not. Which address, nobody can read. */
async function insertUnconfirmed(db: Db, of: Of, { link, people, yes }: Place): Promise<void> {
  const { newsletterId, campaign } = of
  const period = periodOf(of)
  if (!period) return
  await sql`
    insert into opt_in_request (newsletter_id, campaign_id, address, short_link_id, asked_at)
    select ${newsletterId}, ${campaign.id}, sha256(convert_to(${link}::text || n, 'UTF8')), ${link}, ${momentOf({ link, ...period }, sql`n`)}
    from generate_series(${yes + 1}::integer, ${Math.min(people, yes + Math.ceil(yes / 9))}::integer) n`.execute(db)
}

async function countTaken(db: Db, { newsletterId, campaign: { id, cap } }: Of): Promise<void> {
  await sql`
    update opt_in_campaign o set taken = (select count(*) from opt_in y where y.newsletter_id = o.newsletter_id
      and y.campaign_id = o.id and y.undone_at is null) where newsletter_id = ${newsletterId} and id = ${id}`.execute(
    db,
  )
  if (cap !== 'reached') return
  await sql`update opt_in_campaign set cap = greatest(1, taken) where newsletter_id = ${newsletterId} and id = ${id}`.execute(
    db,
  )
}
