import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Context } from '../context.ts'
import type { Db } from '../database/client.ts'
import { publicId } from '../database/ids.ts'
import { AppError, type FieldFault } from '../errors.ts'
import { asciiDomain } from '../mail/mime/address.ts'
import { NotPublic, publicAddresses } from '../net/public-address.ts'
import { codeOf } from '../start-error.ts'
import { type changeRelay, type createRelay, domainName, type RelayConfig, type setDomainLimits } from './contract.ts'
import { findRelay, type RelayRow } from './queries.ts'
import { relayTypes } from './registry.ts'
import { relayConfigOf, SEAL_PURPOSE } from './relay-set.ts'

export const MAX_RELAYS = 20

type Dependencies = Pick<Context, 'config' | 'db' | 'sealer' | 'now'>
type Given = z.output<typeof changeRelay.body>

/**
 * Adds a relay to a newsletter, or with null to the instance.
 * @throws AppError too_many_relays, invalid with the fields at fault
 */
export async function addRelay(
  dependencies: Dependencies,
  newsletterId: string | null,
  given: z.output<typeof createRelay.body>,
): Promise<RelayRow> {
  const { name, weight, connections, enabled, perSecond, perHour, warmUp } = given
  await refuseFaults(dependencies, given.way, { newsletterId, hasSecret: given.secret !== null })
  return dependencies.db.transaction().execute(async (tx) => {
    await refuseMore(tx, newsletterId)
    return tx
      .insertInto('relay')
      .values({
        id: publicId(),
        newsletter_id: newsletterId,
        name,
        ...columnsOf(given.way),
        ...sealed(dependencies, given),
        weight,
        connections,
        per_second: perSecond,
        per_hour: perHour,
        warm_up_started_at: warmUp ? dependencies.now() : null,
        enabled,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
  })
}

/** Locks the newsletter, because two relays added at the same moment would both count as the last one allowed. */
async function refuseMore(tx: Db, newsletterId: string | null): Promise<void> {
  if (newsletterId === null) return
  await tx.selectFrom('newsletter').select('id').where('id', '=', newsletterId).forUpdate().execute()
  const query = tx.selectFrom('relay').select((e) => e.fn.countAll<number>().as('count'))
  const { count } = await query.where('newsletter_id', '=', newsletterId).executeTakeFirstOrThrow()
  if (count >= MAX_RELAYS) throw new AppError('too_many_relays', { params: { maximum: MAX_RELAYS } })
}

/** Changes what is given. @throws AppError relay_not_found, invalid with the fields at fault */
export async function alterRelay(
  dependencies: Dependencies,
  { newsletterId, id }: { newsletterId: string | null; id: string },
  given: Given,
): Promise<RelayRow> {
  const row = await findRelay(dependencies.db, newsletterId, id)
  const way = given.way ?? relayConfigOf(row)
  const elsewhere = !isDeepStrictEqual(placeAndName(way), placeAndName(relayConfigOf(row)))
  if (elsewhere && row.secret && given.secret === undefined) refuse({ secret: 'secret_again' })
  const hasSecret = (given.secret === undefined ? row.secret : given.secret) !== null
  await refuseFaults(dependencies, way, { newsletterId, hasSecret })
  // The stored health belongs to another login or another server.
  const afresh = elsewhere || given.secret !== undefined
  const { name, weight, connections, enabled, perSecond, perHour, warmUp } = given
  const warming = warmUp === undefined ? undefined : warmUp ? (row.warm_up_started_at ?? dependencies.now()) : null
  const changed = await dependencies.db
    .updateTable('relay')
    .set({
      ...defined({ name, weight, connections, enabled, per_second: perSecond, per_hour: perHour }),
      ...defined({ warm_up_started_at: warming }),
      ...(given.way && columnsOf(given.way)),
      // A webhook secret belongs to one provider.
      ...(way.kind !== row.kind && { webhook_secret: null }),
      ...sealed(dependencies, given),
      ...(afresh && { resting_until: null, failures: 0, refused: false, last_answer: null, last_answered_at: null }),
      changed_at: sql`now()`,
    })
    .where('id', '=', id)
    .where('newsletter_id', 'is not distinct from', newsletterId)
    .returningAll()
    .executeTakeFirst()
  if (!changed) throw new AppError('relay_not_found')
  return changed
}

/** @throws AppError relay_not_found */
export async function removeRelay(db: Db, newsletterId: string | null, id: string): Promise<{ name: string }> {
  const removed = await db
    .deleteFrom('relay')
    .where('id', '=', id)
    .where('newsletter_id', 'is not distinct from', newsletterId)
    .returning('name')
    .executeTakeFirst()
  if (!removed) throw new AppError('relay_not_found')
  return removed
}

type Limits = z.output<typeof setDomainLimits.body>['limits']

/**
 * Replaces the whole list. A limit that stays keeps its usage.
 * @throws AppError invalid for a domain that is none, or is named twice
 */
export async function putDomainLimits(db: Context['db'], newsletterId: string | null, limits: Limits): Promise<void> {
  const domains = limits.map(({ domain }) => asciiDomain(domain))
  const wrong = domains.findIndex((domain) => !domainName.safeParse(domain).success)
  if (wrong >= 0) refuse({ [`limits.${wrong}.domain`]: 'wrong' })
  const twice = domains.findIndex((domain, index) => domains.indexOf(domain) < index)
  if (twice >= 0) refuse({ [`limits.${twice}.domain`]: 'twice' })
  await db.transaction().execute(async (tx) => {
    const others = tx.deleteFrom('domain_limit').where('newsletter_id', 'is not distinct from', newsletterId)
    await (domains.length > 0 ? others.where('domain', 'not in', domains) : others).execute()
    for (const [index, { perSecond, perHour }] of limits.entries()) {
      const set = { per_second: perSecond, per_hour: perHour }
      await tx
        .insertInto('domain_limit')
        .values({ id: publicId(), newsletter_id: newsletterId, domain: domains[index] ?? '', ...set })
        .onConflict((conflict) => conflict.columns(['newsletter_id', 'domain']).doUpdateSet(set))
        .execute()
    }
  })
}

const columnsOf = ({ kind, ...settings }: RelayConfig) => ({ kind, settings: JSON.stringify(settings) })

/** Where mail and password go, and as whom we sign in. When it changes, the secret must be given again. */
const placeAndName = (way: RelayConfig) => (way.kind === 'smtp' ? way : { kind: way.kind })

const sealed = ({ sealer }: Dependencies, { secret, webhookSecret }: Pick<Given, 'secret' | 'webhookSecret'>) => {
  const close = (text: string | null | undefined) =>
    text === undefined ? undefined : text === null ? null : sealer.seal(SEAL_PURPOSE, text)
  return defined({ secret: close(secret), webhook_secret: close(webhookSecret) })
}

function defined<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}

async function refuseFaults(
  { config }: Dependencies,
  way: RelayConfig,
  { newsletterId, hasSecret }: { newsletterId: string | null; hasSecret: boolean },
): Promise<void> {
  const signsIn = way.kind !== 'smtp' || way.username !== null
  if (signsIn && !hasSecret) refuse({ secret: 'required' })
  const fields: Record<string, unknown> = way
  const { accountField } = relayTypes[way.kind]
  if (way.kind !== 'smtp' && accountField && fields[accountField] === null) {
    refuse({ [`way.${accountField}`]: 'required' })
  }
  if (way.kind !== 'smtp' || newsletterId === null || config.privateRelays) return
  if (way.security === 'none' && way.username !== null) refuse({ 'way.security': 'password_in_clear' })
  if (![25, 465, 587].includes(way.port) && way.port < 1024) refuse({ 'way.port': 'relay_port' })
  const fault = await faultOf(way.host)
  if (fault) refuse({ 'way.host': fault })
}

async function faultOf(host: string): Promise<FieldFault | null> {
  try {
    await publicAddresses(host)
    return null
  } catch (error) {
    if (error instanceof NotPublic) return 'relay_private'
    // DNS does not answer now. Sending will ask again.
    return codeOf(error) === 'ENOTFOUND' ? 'relay_unknown_host' : null
  }
}

function refuse(fields: Record<string, FieldFault>): never {
  throw new AppError('invalid', { fields })
}
