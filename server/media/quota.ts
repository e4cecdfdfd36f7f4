import { sql } from 'kysely'
import type { Config, MediaQuota } from '../config.ts'
import type { Db } from '../database/client.ts'
import { AppError } from '../errors.ts'
import { type Standing, standingOf, standingOfNewsletter } from '../identity/standing.ts'

/** What somebody keeps, and the most that they may. */
interface Share {
  used: MediaQuota
  most: MediaQuota
  standing: Standing
}

export interface Shares {
  newsletter: Share
  /** In all newsletters. Null for an API key whose maker is gone. */
  person: Share | null
}

interface Keepers {
  newsletterId: string
  personId: string | null
}

/** What a newsletter and a person keep of images, with the uploads under way. */
export async function sharesOf(
  db: Db,
  { mediaQuota }: Pick<Config, 'mediaQuota'>,
  { newsletterId, personId }: Keepers,
): Promise<Shares> {
  const standing = await standingOfNewsletter(db, newsletterId)
  const owner = await standingOfPerson(db, personId)
  return {
    newsletter: {
      used: await usedBy(db, 'newsletter_id', newsletterId),
      most: mediaQuota[standing === 'proven' ? 'newsletter' : 'guest'],
      standing,
    },
    person:
      personId === null
        ? null
        : {
            used: await usedBy(db, 'created_by', personId),
            most: mediaQuota[owner === 'proven' ? 'person' : 'guest'],
            standing: owner,
          },
  }
}

/** @throws AppError media_full, media_full_person */
export function requireRoom({ newsletter, person }: Shares, bytes: number): void {
  if (!fits(newsletter, bytes)) throw refusal('media_full', newsletter)
  if (person && !fits(person, bytes)) throw refusal('media_full_person', person)
}

const fits = ({ used, most }: Share, bytes: number) => used.files + 1 <= most.files && used.bytes + bytes <= most.bytes

const refusal = (code: 'media_full' | 'media_full_person', { most, standing }: Share) =>
  new AppError(code, { params: { megabytes: most.bytes / 1_000_000, files: most.files }, limitOf: standing })

/**
 * Locks a newsletter and a person until the transaction ends, so that uploads at the same moment are counted one after the other, in
 * whatever process. @throws AppError newsletter_not_found when it was deleted meanwhile
 */
export async function lockShares(tx: Db, { newsletterId, personId }: Keepers): Promise<void> {
  const found = await tx
    .selectFrom('newsletter')
    .select('id')
    .where('id', '=', newsletterId)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!found) throw new AppError('newsletter_not_found')
  if (personId) await tx.selectFrom('user').select('id').where('id', '=', personId).forNoKeyUpdate().execute()
}

const usedBy = (db: Db, column: 'newsletter_id' | 'created_by', id: string): Promise<MediaQuota> =>
  db
    .selectFrom('media')
    .select([sql<number>`coalesce(sum(bytes), 0)::bigint`.as('bytes'), sql<number>`count(*)::integer`.as('files')])
    .where(column, '=', id)
    .executeTakeFirstOrThrow()

async function standingOfPerson(db: Db, personId: string | null): Promise<Standing> {
  const user = await db
    .selectFrom('user')
    .select(['is_anonymous as isAnonymous', 'email_verified as emailVerified'])
    .where('id', '=', personId ?? '')
    .executeTakeFirst()
  return user ? standingOf({ isAnonymous: user.isAnonymous ?? false, emailVerified: user.emailVerified }) : 'guest'
}
