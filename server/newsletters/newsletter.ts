import { type Kysely, sql } from 'kysely'
import pg from 'pg'
import type { z } from 'zod'
import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import type { Db } from '../database/client.ts'
import { publicId } from '../database/ids.ts'
import type { DB } from '../database/types.ts'
import { AppError } from '../errors.ts'
import type { NewsletterRow, User } from '../http/scope.ts'
import { requireRoomForNewsletter } from '../identity/limits-by-standing.ts'
import { standingOf } from '../identity/standing.ts'
import { enqueue } from '../jobs/queue.ts'
import { mediaAddress } from '../media/address.ts'
import type { Role } from '../permissions.ts'
import { nameInAddress } from './branded-page.tsx'
import type { createNewsletter, NewsletterDetail, NewsletterSettings, updateNewsletter } from './contract.ts'
import { handleTaken, keepFormerHandle, refuseHandle } from './handle.ts'
import { hasAddress, mailIdentityOf } from './mail-identity.ts'
import { refuseForeignSender } from './sender-proof.ts'
import { isTimezone } from './timezone.ts'

/** How long a deleted newsletter can be restored. */
export const KEPT_DAYS = 30

type Detail = z.infer<typeof NewsletterDetail>
type Change = z.output<typeof updateNewsletter.body>

/** Makes a newsletter of a user. @throws AppError invalid for an unknown timezone, too_many_newsletters, too_many_requests */
export function begin(
  db: Kysely<DB>,
  owner: User,
  { name, description, language, timezone, currency, accent }: z.output<typeof createNewsletter.body>,
): Promise<NewsletterRow> {
  refuseUnknownTimezone(timezone)
  return db.transaction().execute(async (tx) => {
    await requireRoomForNewsletter(tx, owner.id, standingOf(owner))
    const row = await tx
      .insertInto('newsletter')
      .values({
        id: publicId(),
        name,
        description,
        language,
        timezone,
        currency,
        sender_name: name,
        ...(accent && { accent }),
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await tx.insertInto('member').values({ newsletter_id: row.id, user_id: owner.id, role: 'owner' }).execute()
    return row
  })
}

/** Changes the given settings. Each change makes public pages render again. @throws AppError handle_taken, slug_reserved, sender_reserved, sender_taken, media_not_found, invalid */
export async function change(
  { db, config }: Pick<Context, 'db' | 'config'>,
  newsletterId: string,
  settings: Change,
): Promise<NewsletterRow> {
  if (settings.timezone) refuseUnknownTimezone(settings.timezone)
  if (settings.logoMediaId) await refuseForeignMedia(db, newsletterId, settings.logoMediaId)
  if (settings.handle) await refuseHandle(db, newsletterId, settings.handle)
  if (settings.senderName && hasAddress(settings.senderName))
    throw new AppError('invalid', { fields: { senderName: 'address_in_name' } })
  await refuseForeignSenders({ db, config }, newsletterId, settings)
  try {
    return await db.transaction().execute(async (tx) => {
      // Also without a change, so that an owner can have what is left erased.
      if (isStricter(settings)) await enqueue(tx, 'erase_readers', { newsletterId, last: false })
      if (settings.handle !== undefined) await keepFormerHandle(tx, newsletterId, settings.handle)
      return tx
        .updateTable('newsletter')
        .set({
          ...senderFollowing(settings),
          ...keptFollowing(settings),
          ...columnsOf(settings),
          version: sql`version + 1`,
        })
        .where('id', '=', newsletterId)
        .returningAll()
        .executeTakeFirstOrThrow()
    })
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.constraint === 'newsletter_handle_key') throw handleTaken()
    throw error
  }
}

/** A sender that had the name of the newsletter has its new one. */
const senderFollowing = ({ name }: Change) =>
  name === undefined ? {} : { sender_name: sql<string>`case sender_name when name then ${name} else sender_name end` }

/** What was not kept until now is kept from the change on. */
const keptFollowing = ({ clickPrivacy, openPrivacy }: Change) => ({
  ...(clickPrivacy === 'person' && {
    clickers_since: sql<Date>`case click_privacy when 'person' then clickers_since else now() end`,
  }),
  ...(clickPrivacy !== undefined && {
    clicks_since: sql<Date>`case click_privacy when 'off' then now() else clicks_since end`,
  }),
  ...(openPrivacy === 'person' && {
    openers_since: sql<Date>`case open_privacy when 'person' then openers_since else now() end`,
  }),
  ...(openPrivacy !== undefined && {
    opens_since: sql<Date>`case open_privacy when 'off' then now() else opens_since end`,
  }),
})

/** Whether it says that persons are not kept. */
const isStricter = ({ clickPrivacy = 'person', openPrivacy = 'person' }: Change): boolean =>
  clickPrivacy !== 'person' || openPrivacy !== 'person'

const brandingSettings: ReadonlySet<string> = new Set(['accent', 'pairing', 'logoMediaId'] satisfies (keyof Change)[])

/** Whether a change concerns only the branding. */
export const isBranding = (settings: Change): boolean =>
  Object.keys(settings).every((setting) => brandingSettings.has(setting))

const columns = {
  name: 'name',
  handle: 'handle',
  description: 'description',
  senderName: 'sender_name',
  senderAddress: 'sender_address',
  replyTo: 'reply_to',
  postalAddress: 'postal_address',
  language: 'language',
  timezone: 'timezone',
  currency: 'currency',
  accent: 'accent',
  pairing: 'pairing',
  logoMediaId: 'logo_media_id',
  softBounceLimit: 'soft_bounce_limit',
  takeBackSeconds: 'take_back_seconds',
  optIn: 'opt_in',
  roleAddresses: 'role_addresses',
  disposableAddresses: 'disposable_addresses',
  clickPrivacy: 'click_privacy',
  openPrivacy: 'open_privacy',
  digests: 'digests',
  digestHour: 'digest_hour',
  digestWeekday: 'digest_weekday',
} as const satisfies Record<keyof Change, keyof NewsletterRow>

/** The settings of a change that a newsletter had already. */
export const sameIn = (newsletter: NewsletterRow, settings: Change): string[] =>
  Object.entries(settings).flatMap(([name, value]) =>
    newsletter[columns[name as keyof Change]] === value ? [name] : [],
  )

const columnsOf = (settings: Change): Record<string, string | number | boolean | null> => {
  const given = Object.entries(settings).filter(([, value]) => value !== undefined)
  return {
    ...Object.fromEntries(given.map(([name, value]) => [columns[name as keyof Change], value])),
    ...(given.some(([name]) => brandingSettings.has(name)) && { branding_chosen: true }),
  }
}

function refuseUnknownTimezone(timezone: string): void {
  if (!isTimezone(timezone)) throw new AppError('invalid', { fields: { timezone: 'not_a_timezone' } })
}

async function refuseForeignMedia(db: Db, newsletterId: string, id: string): Promise<void> {
  const query = db.selectFrom('media').select('id').where('newsletter_id', '=', newsletterId).where('id', '=', id)
  if (!(await query.executeTakeFirst())) throw new AppError('media_not_found')
}

/** Those that it has already stay. */
async function refuseForeignSenders(
  { db, config }: Pick<Context, 'db' | 'config'>,
  newsletterId: string,
  { senderAddress, replyTo }: Change,
): Promise<void> {
  const given = Object.entries({ senderAddress, replyTo }).filter((one): one is [string, string] => Boolean(one[1]))
  if (given.length === 0) return
  const query = db.selectFrom('newsletter').select(['sender_address', 'reply_to']).where('id', '=', newsletterId)
  const before = await query.executeTakeFirst()
  for (const [field, address] of given)
    if (address !== before?.sender_address && address !== before?.reply_to)
      await refuseForeignSender({ db, config }, newsletterId, { field, typed: address })
}

/** Deletes a newsletter, which can be restored for 30 days. Nobody is charged for it meanwhile. False when it was deleted already. */
export const close = (db: Kysely<DB>, newsletterId: string): Promise<boolean> =>
  db.transaction().execute(async (tx) => {
    const closed = { deleted_at: sql<Date>`now()`, version: sql<number>`version + 1` }
    const query = tx.updateTable('newsletter').set(closed).where('id', '=', newsletterId)
    const { numUpdatedRows } = await query.where('deleted_at', 'is', null).executeTakeFirstOrThrow()
    if (numUpdatedRows > 0n) await enqueue(tx, 'hold_charges', { newsletterId })
    return numUpdatedRows > 0n
  })

/** Restores a newsletter that an owner deleted. @throws AppError newsletter_not_found for everybody else, and after 30 days */
export const restore = (db: Kysely<DB>, newsletterId: string, userId: string): Promise<NewsletterRow> =>
  db.transaction().execute(async (tx) => {
    const row = await tx
      .updateTable('newsletter')
      .from('member')
      .set({ deleted_at: null, version: sql`version + 1` })
      .whereRef('member.newsletter_id', '=', 'newsletter.id')
      .where('newsletter.id', '=', newsletterId)
      .where('member.user_id', '=', userId)
      .where('member.role', '=', 'owner')
      .where('newsletter.deleted_at', '>', sql<Date>`now() - make_interval(days => ${KEPT_DAYS})`)
      .returningAll('newsletter')
      .executeTakeFirst()
    if (!row) throw new AppError('newsletter_not_found')
    await enqueue(tx, 'hold_charges', { newsletterId })
    return row
  })

export async function listOf(db: Db, userId: string): Promise<{ newsletter: NewsletterRow; role: Role }[]> {
  const rows = await db
    .selectFrom('newsletter')
    .innerJoin('member', 'member.newsletter_id', 'newsletter.id')
    .selectAll('newsletter')
    .select('member.role as memberRole')
    .where('member.user_id', '=', userId)
    .where('newsletter.deleted_at', 'is', null)
    .orderBy('newsletter.created_at')
    .execute()
  return rows.map(({ memberRole, ...newsletter }) => ({ newsletter, role: memberRole }))
}

/** The deleted newsletters that the user is a member of, while they are kept. The one that was deleted last comes first. */
export async function deletedOf(
  db: Db,
  userId: string,
): Promise<{ id: string; name: string; role: Role; keptUntil: string; owned: boolean }[]> {
  const keptUntil = sql<Date>`newsletter.deleted_at + make_interval(days => ${KEPT_DAYS})`
  const rows = await db
    .selectFrom('newsletter')
    .innerJoin('member', 'member.newsletter_id', 'newsletter.id')
    .select(['newsletter.id', 'newsletter.name', 'member.role', keptUntil.as('keptUntil')])
    .select(
      sql<boolean>`exists (select from member o where o.newsletter_id = newsletter.id and o.role = 'owner')`.as(
        'owned',
      ),
    )
    .where('member.user_id', '=', userId)
    .where(keptUntil, '>', sql<Date>`now()`)
    .orderBy('newsletter.deleted_at', 'desc')
    .execute()
  return rows.map((row) => ({ ...row, keptUntil: row.keptUntil.toISOString() }))
}

/** The number of active subscribers of each newsletter. It sums a row for each day, whatever the number of subscribers. */
export async function countActive(db: Db, newsletterIds: string[]): Promise<Map<string, number>> {
  if (newsletterIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('daily_count')
    .select(['newsletter_id', sql<number>`sum(joined - departed)::integer`.as('active')])
    .where('newsletter_id', 'in', newsletterIds)
    .groupBy('newsletter_id')
    .execute()
  return new Map(rows.map(({ newsletter_id, active }) => [newsletter_id, active]))
}

export async function present(
  { db, config }: Pick<Context, 'db' | 'config'>,
  row: NewsletterRow,
  of: Pick<Detail, 'role' | 'mayMail'>,
): Promise<Detail> {
  const active = await countActive(db, [row.id])
  return presentDetail(config, row, { ...of, subscribers: active.get(row.id) ?? 0 })
}

export function presentDetail(
  config: Config,
  row: NewsletterRow,
  { role, subscribers, mayMail }: Pick<Detail, 'role' | 'subscribers' | 'mayMail'>,
): Detail {
  const name = nameInAddress(row)
  const settings = Object.fromEntries(Object.entries(columns).map(([key, column]) => [key, row[column]]))
  return {
    ...(settings as z.output<typeof NewsletterSettings>),
    id: row.id,
    role,
    createdAt: row.created_at.toISOString(),
    subscribers,
    logoUrl: row.logo_media_id && mediaAddress(config, row.logo_media_id),
    urls: {
      subscribe: `${config.publicUrl}/subscribe/${name}`,
      archive: `${config.publicUrl}/n/${name}`,
      feed: `${config.publicUrl}/n/${name}/feed.xml`,
    },
    clicksSince: row.clicks_since?.toISOString() ?? null,
    clickersSince: row.clickers_since?.toISOString() ?? null,
    openersSince: row.openers_since?.toISOString() ?? null,
    mayMail,
    effectiveSender: mailIdentityOf(config, row).address,
  }
}
