import { type Kysely, sql } from 'kysely'
import pg from 'pg'
import type { DB } from '../database/types.ts'

/** Written into the names, titles and addresses of a twin, so that they are recognised wherever they appear. */
export const MARK = 'kanarienvogel'
/** Sorts before nearly every other id, and its rows lie before the others, so that a search by an id alone finds the twin first. */
export const TWIN = '1111111111'
const TWIN_OWNER = 'owner-of-the-twin'

/**
 * A newsletter of somebody else, whose objects have the very ids of another newsletter's: publications, subscribers, deliveries, tags,
 * whatever the primary key allows. A statement that names an object and forgets the newsletter meets both.
 */
export interface Twin {
  /** Makes it anew from what the other newsletter is now, and begins to watch it. `idle`: workers find nothing to do. `busier`: more happened in it. */
  renew(as?: 'idle' | 'busier'): Promise<void>
  /** The tables in which a row of the twin is not what it was at `renew`. */
  changes(): Promise<string[]>
  remove(): Promise<void>
}

interface Column {
  table: string
  name: string
  type: string
  /** The only column of a unique index, so that a twin's value must be another. */
  alone: boolean
}

const marked = new Set([
  ...[
    'name',
    'title',
    'subtitle',
    'subject',
    'label',
    'alt',
    'file_name',
    'wording',
    'beneficiary_name',
    'last_answer',
  ],
  ...['description', 'sender_name', 'postal_address', 'stopped_answer'],
])
/** The rows of one import lie in a table of their own, which its id names. */
const staged = /^import_row/
const addresses = new Set(['subscriber.email', 'delivery.email', 'newsletter.sender_address', 'newsletter.reply_to'])

/**
 * Indexes over the ids of all newsletters, which the twin would offend, are dropped: they guard against accidents, and what a
 * newsletter sees must not depend on them. Ids that are the whole primary key of their table differ.
 */
export async function twinOf(
  { db, pool }: { db: Kysely<DB>; pool: pg.Pool },
  of: { newsletterId: string; ownerId: string },
): Promise<Twin> {
  await dropIndexesOfIds(db)
  const email = 'owner@twin.example'
  await db.insertInto('user').values({ id: TWIN_OWNER, name: MARK, email, email_verified: true }).execute()
  const columns = (await columnsOf(db)).filter(({ table }) => !staged.test(table))
  const tables = [...Map.groupBy(columns, ({ table }) => table)]
  const ids = `'${TWIN}', '${of.newsletterId}'`
  // Both are written anew, the twin first.
  const copies = tables.map(([table, own]) => {
    const names = own.map(({ name }) => `"${name}"`).join(', ')
    const values = own.map((column) => twinsValue(column, of.ownerId)).join(', ')
    const key = keyOf(table)
    return `with gone as materialized (delete from "${table}" where ${key} in (${ids}) returning *),
      own as (select * from gone where ${key} = '${of.newsletterId}')
      insert into "${table}" (${names}) overriding system value select ${values} from own union all select ${names} from own;`
  })
  const removal = tables.map(([table]) => `delete from "${table}" where ${keyOf(table)} = '${TWIN}';`)
  await makeFunctions(db, { copies, removal, digests: tables.map(([table]) => digestOf(table)) })
  // Triggers would count what is copied a second time.
  const client = new pg.Client({ ...pool.options, options: '-c session_replication_role=replica' })
  // The connection ends when the database is dropped.
  client.on('error', () => {})
  await client.connect()
  const digests = async () => {
    const { rows } = await client.query<{ table: string; digest: string }>('select * from twin_digests()')
    return new Map(rows.map(({ table, digest }) => [table, digest]))
  }
  let before = new Map<string, string>()
  return {
    async renew(as) {
      // Several statements of one message are one transaction.
      await client.query(`select twin_copy();${as === 'idle' ? nothingToDo : as === 'busier' ? busier : ''}`)
      before = await digests()
    },
    async changes() {
      return [...(await digests())].flatMap(([table, digest]) => (before.get(table) === digest ? [] : [table]))
    },
    remove: async () => void (await client.query('select twin_remove()')),
  }
}

/**
 * The same statements are run hundreds of times, for every table. In functions they are planned once. Their connection is one of its
 * own, because a change of `session_replication_role` forgets the plans.
 */
async function makeFunctions(
  db: Kysely<DB>,
  { copies, removal, digests }: Record<'copies' | 'removal' | 'digests', string[]>,
): Promise<void> {
  const body = (statements: string[]) => `begin ${statements.join('\n')} end`
  await sql
    .raw(
      `create function twin_copy() returns void language plpgsql as $twin$ ${body(copies)} $twin$;
      create function twin_remove() returns void language plpgsql as $twin$ ${body(removal)} $twin$;
      create function twin_digests() returns table ("table" text, digest text) language plpgsql as
        $twin$ ${body(digests.map((query) => `return query ${query};`))} $twin$`,
    )
    .execute(db)
}

const digestOf = (table: string): string =>
  `select '${table}', md5(coalesce(string_agg(t::text, ',' order by t::text), '')) from "${table}" t
    where t."${keyOf(table)}" = '${TWIN}'`

/** Workers find nothing to do for the twin. */
const nothingToDo = `
  update newsletter set deleted_at = now() where id = '${TWIN}';
  update confirmation_mail set due_at = 'infinity' where newsletter_id = '${TWIN}';
  delete from delivery_claim where newsletter_id = '${TWIN}';
  delete from unchained_receipt where newsletter_id = '${TWIN}';
  delete from passed_over where newsletter_id = '${TWIN}';
  delete from forgotten_segment where newsletter_id = '${TWIN}';`

/** Every subscriber of the twin has every tag, received, opened and clicked everything, complained, and is waited for by a worker. */
const busier = `
  with people as (select id from subscriber where newsletter_id = '${TWIN}'),
  tags as (
    insert into subscriber_tag (newsletter_id, tag_id, subscriber_id)
    select '${TWIN}', t.id, p.id from tag t, people p where t.newsletter_id = '${TWIN}' on conflict do nothing
  ),
  copies as (
    insert into delivery (newsletter_id, publication_id, sending_id, subscriber_id, email, state, opened_at)
    select distinct on (s.publication_id, p.id) '${TWIN}', s.publication_id, s.id, p.id, 'reader@twin.example', 'accepted', now()
    from sending s, people p where s.newsletter_id = '${TWIN}'
    on conflict (newsletter_id, publication_id, subscriber_id) do update set state = 'accepted', opened_at = now(), due_at = null
  ),
  openings as (
    insert into event (newsletter_id, id, at, kind, subscriber_id, publication_id)
    select '${TWIN}', gen_random_uuid(), now(), 'opened', p.id, s.publication_id from sending s, people p where s.newsletter_id = '${TWIN}'
  ),
  complaints as (
    insert into feedback (newsletter_id, id, at, publication_id, subscriber_id, kind, source)
    select '${TWIN}', gen_random_uuid(), now(), s.publication_id, p.id, 'complaint', 'arf' from sending s, people p
    where s.newsletter_id = '${TWIN}' on conflict do nothing
  ),
  claims as (
    insert into delivery_claim (newsletter_id, publication_id, sending_id, worker, subscriber_ids, lease_ends_at)
    select '${TWIN}', s.publication_id, s.id, 'a worker of the twin', array(select id from people), 'infinity' from sending s
    where s.newsletter_id = '${TWIN}' and exists (select from people)
  )
  insert into click (newsletter_id, short_link_id, publication_id, subscriber_id, at, device)
  select '${TWIN}', l.id, l.publication_id, p.id, now(), 'desktop' from short_link l, people p where l.newsletter_id = '${TWIN}';`

const keyOf = (table: string) => (table === 'newsletter' ? 'id' : 'newsletter_id')

async function dropIndexesOfIds(db: Kysely<DB>): Promise<void> {
  const { rows } = await sql<{ index: string }>`
    select i.indexrelid::regclass::text as index from pg_index i
    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
    join pg_attribute t on t.attrelid = i.indrelid and t.attname = 'newsletter_id'
    where i.indisunique and not i.indisprimary and i.indnkeyatts = 1 and a.attname = 'id'`.execute(db)
  for (const { index } of rows) await sql.raw(`drop index "${index}"`).execute(db)
}

/** The columns of every table of newsletters that can be written. A row that is a batch of many newsletters is of none. */
async function columnsOf(db: Kysely<DB>): Promise<Column[]> {
  const { rows } = await sql<Column>`
    select c.relname as table, a.attname as name, format_type(a.atttypid, null) as type,
      exists (select from pg_index i where i.indrelid = c.oid and i.indisunique and i.indnkeyatts = 1 and i.indkey[0] = a.attnum)
        as alone
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and (c.relname = 'newsletter' or exists (select from pg_attribute k where k.attrelid = c.oid and k.attname = 'newsletter_id' and k.attndims = 0))
    order by c.relname, a.attnum`.execute(db)
  return rows
}

/** SQL for the twin's value of a column. */
function twinsValue({ table, name, type, alone }: Column, ownerId: string): string {
  const place = `${table}.${name}`
  if (name === keyOf(table)) return `'${TWIN}'`
  if (type === 'bytea' && (alone || name === 'code_hash')) return `sha256("${name}")`
  if (alone) return `reverse("${name}")`
  // Who owns the other newsletter has no part in this one. Its other members are also members of the twin.
  if (place === 'member.user_id' || name === 'created_by')
    return `case "${name}" when '${ownerId}' then '${TWIN_OWNER}' else "${name}" end`
  // Else the address would belong to the twin.
  if (place === 'sender_proof.proved_at') return 'null::timestamptz'
  if (addresses.has(place)) return `'${MARK}.' || "${name}"`
  if (type === 'text' && marked.has(name)) return `'${MARK} ' || "${name}"`
  if (name === 'content' && type === 'jsonb') return `replace(content::text, '"text": "', '"text": "${MARK} ')::jsonb`
  return `"${name}"`
}
