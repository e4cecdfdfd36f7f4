import { type Kysely, sql } from 'kysely'
import type { Context } from '../context.ts'
import type { Db } from '../database/client.ts'
import { publicId } from '../database/ids.ts'
import type { DB } from '../database/types.ts'
import type { NewsletterRow } from '../http/scope.ts'
import type { Language } from '../languages.ts'
import { nameInAddress } from '../newsletters/branded-page.tsx'
import { searchableText, searchColumns } from '../publications/content.ts'
import { typeset } from '../publications/document/typography.ts'
import { publicationUrl } from '../publications/present.ts'
import { addToSending, openSending } from '../sending/state.ts'
import { recipientsToPlan } from '../subscribers/audience.ts'
import type { DigestPace } from '../subscribers/contract.ts'
import { digestOf, type Listed, summaryJob } from './document.ts'

/** What waits longer was left by somebody who left or paused, and is no news any more. */
const KEPT_DAYS = 100

type DigestContext = Pick<Context, 'config' | 'threads'>

interface Run {
  newsletter: NewsletterRow
  pace: DigestPace
  /** What came before it goes into the digests. */
  moment: Date
}

/**
 * Makes the digests of one moment with their deliveries: one publication for all who get the same list in the same language. The
 * moment, the digests and what they contain are written in one transaction, so a process that is killed has made all of them or
 * none, and of several processes one makes them.
 *
 * @returns how many digests there are
 */
export const composeDigests = (context: DigestContext & { db: Kysely<DB> }, run: Run): Promise<number> =>
  context.db.transaction().execute(async (tx) => {
    if (!(await take(tx, run)) || !(await gather(tx, run))) return 0
    const groups = await group(tx, run)
    const publications = await findListed(tx, context, run)
    for (const { language, items } of groups) {
      const listed = items.flatMap((id) => publications.get(id) ?? [])
      const publicationId = await insertPublication(tx, { ...run, config: context.config, language, listed })
      await send(tx, run, { publicationId, language, items })
    }
    await markDigested(tx, run)
    return groups.length
  })

/** Takes the moment, unless digests of it or of a later one were made. Whoever does it meanwhile is waited for. */
async function take(tx: Db, { newsletter, pace, moment }: Run): Promise<boolean> {
  const { rows } = await sql`
    insert into digest_run (newsletter_id, pace, at) values (${newsletter.id}, ${pace}, ${moment})
    on conflict (newsletter_id, pace) do update set at = excluded.at where digest_run.at < excluded.at
    returning pace`.execute(tx)
  return rows.length > 0
}

/**
 * Notes what is due to whom. Whoever chose another pace since a moment went by waits for the next one, so that they get what has
 * waited in one mail. Whoever is on no digest any more gets the rest with either kind.
 *
 * @returns whether anything is
 */
async function gather(tx: Db, { newsletter: { id: newsletterId, digests }, pace, moment }: Run): Promise<boolean> {
  await sql`
    delete from digest_item where newsletter_id = ${newsletterId} and digested_at is null
      and at < ${moment}::timestamptz - ${KEPT_DAYS} * interval '24 hours'`.execute(tx)
  await sql`create temp table digest_due (publication_id text, subscriber_id uuid) on commit drop`.execute(tx)
  await sql`
    insert into digest_due
    select i.publication_id, i.subscriber_id from digest_item i
    join subscriber s on s.newsletter_id = i.newsletter_id and s.id = i.subscriber_id
    -- One that is paused may be cancelled yet, and waits for the digest after this one.
    join sending x on x.newsletter_id = i.newsletter_id and x.id = i.sending_id and x.state in ('sending', 'sent')
    -- What was taken off the web waits until it is put back.
    join publication p on p.newsletter_id = i.newsletter_id and p.id = i.publication_id and p.off_web_at is null
    where i.newsletter_id = ${newsletterId} and i.digested_at is null and greatest(i.at, s.pace_at) < ${moment}
      and s.status = 'active' and (s.pace in (${pace}, 'every') or not ${digests})`.execute(tx)
  // Whoever erases one of them waits and then finds the delivery too, or was first, and they are not here any more.
  const { rows } = await sql`
    select from subscriber where newsletter_id = ${newsletterId} and id in (select subscriber_id from digest_due)
    order by id for key share`.execute(tx)
  return rows.length > 0
}

interface Group {
  language: Language
  /** Publications in the order in which they appeared. */
  items: string[]
}

/** Those who get the same list in the same language. Who has paused waits on. */
async function group(tx: Db, { newsletter: { id: newsletterId }, pace }: Run): Promise<Group[]> {
  await sql`create temp table digest_reader (id uuid, email text, suppressed_by text, language text, items text[])
    on commit drop`.execute(tx)
  await sql`
    insert into digest_reader
    select r.id, r.email, r.suppressed_by, s.language, array_agg(p.id order by p.published_at, p.id)
    from (${recipientsToPlan(newsletterId, { kind: 'digest', pace })}) r
    join subscriber s on s.newsletter_id = ${newsletterId} and s.id = r.id
    join digest_due d on d.subscriber_id = r.id
    join publication p on p.newsletter_id = ${newsletterId} and p.id = d.publication_id
    group by r.id, r.email, r.suppressed_by, s.language`.execute(tx)
  const { rows } = await sql<Group>`select language, items from digest_reader group by language, items`.execute(tx)
  return rows
}

/** What the digests say of each publication. */
async function findListed(
  tx: Db,
  { config, threads }: DigestContext,
  { newsletter }: Run,
): Promise<Map<string, Listed>> {
  const rows = await tx
    .selectFrom('publication')
    .select([
      'id',
      'title',
      'subtitle',
      'language',
      'slug',
      'published_at',
      'cover_media_id',
      sql<string | null>`case when trim(subtitle) = '' then content::text end`.as('content'),
    ])
    .where('newsletter_id', '=', newsletter.id)
    .where('id', 'in', sql<string>`(select publication_id from digest_due)`)
    .execute()
  const listed = new Map<string, Listed>()
  for (const { id, cover_media_id: coverMediaId, content, ...row } of rows) {
    // What is taken off the web from here on is in the digest, as in a mail that has left.
    const address = publicationUrl(config, newsletter, { ...row, off_web_at: null })
    if (!address) continue
    const summary = content === null ? row.subtitle : await threads.run(summaryJob, content, content.length)
    // The mail is set by the rules of its own language, which may be another.
    const set = (text: string) => typeset(text, row.language)
    listed.set(id, { title: set(row.title), summary: set(summary), coverMediaId, address })
  }
  return listed
}

interface Digest extends Run {
  config: Context['config']
  language: Language
  listed: Listed[]
}

async function insertPublication(tx: Db, { config, newsletter, pace, language, listed }: Digest): Promise<string> {
  const id = publicId()
  const archive = `${config.publicUrl}/n/${nameInAddress(newsletter)}`
  const { title, subtitle, document } = digestOf(listed, { pace, language, newsletter: newsletter.name, archive })
  await tx
    .insertInto('publication')
    .values({
      ...{ newsletter_id: newsletter.id, id, title, subtitle, language, digest: pace },
      content: JSON.stringify(document),
      ...searchColumns(title, subtitle, searchableText(document)),
    })
    .execute()
  return id
}

async function send(tx: Db, { newsletter, pace }: Run, digest: Group & { publicationId: string }): Promise<void> {
  const key = { newsletterId: newsletter.id, publicationId: digest.publicationId }
  const id = await openSending(tx, key, { audience: { kind: 'digest', pace }, welcome: false })
  const recipients = sql`
    select id, email, suppressed_by from digest_reader where language = ${digest.language} and items = ${digest.items}`
  if (!(await addToSending(tx, { ...key, id }, { recipients, delayDays: 0 })))
    throw new Error(`somebody else writes deliveries of the new digest ${digest.publicationId}`)
}

/** Who has paused meanwhile is in no digest, and what they wait for is not marked. */
const markDigested = (tx: Db, { newsletter }: Run) =>
  sql`
    update digest_item i set digested_at = now() from digest_due d join digest_reader r on r.id = d.subscriber_id
    where i.newsletter_id = ${newsletter.id} and i.publication_id = d.publication_id and i.subscriber_id = d.subscriber_id`.execute(
    tx,
  )
