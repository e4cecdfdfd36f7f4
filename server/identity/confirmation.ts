import type { Kysely } from 'kysely'
import { z } from 'zod'
import type { Db } from '../database/client.ts'
import { publicId, uuidv7 } from '../database/ids.ts'
import type { DB } from '../database/types.ts'
import { AppError } from '../errors.ts'
import { hashToken } from '../http/signing.ts'

const DAY_MS = 86_400_000
const TOKEN_LENGTH = 32

const Kept = z.object({ email: z.string() })

const identifierOf = (token: string): string => `confirm ${hashToken(token).toString('base64url')}`

/** Makes the token of a mail that confirms an address. It lasts a day and works once; its hash is stored. */
export async function makeConfirmation(db: Db, email: string): Promise<string> {
  const token = publicId(TOKEN_LENGTH)
  await db
    .insertInto('verification')
    .values({
      id: uuidv7(),
      identifier: identifierOf(token),
      value: JSON.stringify({ email }),
      expires_at: new Date(Date.now() + DAY_MS),
    })
    .execute()
  return token
}

/** The user whose address a token confirms, and that address. @throws AppError link_used when it was used, has expired, or the address is proven already */
export async function findConfirmation(db: Db, token: string): Promise<{ userId: string; email: string }> {
  const row = await db
    .selectFrom('verification')
    .select('value')
    .where('identifier', '=', identifierOf(token))
    .where('expires_at', '>', new Date())
    .executeTakeFirst()
  if (!row) throw new AppError('link_used')
  const { email } = Kept.parse(JSON.parse(row.value))
  const user = await db
    .selectFrom('user')
    .select('id')
    .where('email', '=', email)
    .where('email_verified', '=', false)
    .executeTakeFirst()
  if (!user) throw new AppError('link_used')
  return { userId: user.id, email }
}

/** Uses a token up. @throws AppError link_used for all but one of several requests at the same moment */
export async function spendConfirmation(db: Db, token: string): Promise<void> {
  const query = db.deleteFrom('verification').where('identifier', '=', identifierOf(token))
  if (!(await query.returning('id').executeTakeFirst())) throw new AppError('link_used')
}

/** Marks the address as proven for whoever opened the account themselves. Everything in it stays. */
export function confirmOwn(db: Kysely<DB>, { userId, token }: { userId: string; token: string }): Promise<void> {
  return db.transaction().execute(async (tx) => {
    await spendConfirmation(tx, token)
    await tx
      .updateTable('user')
      .set({ email_verified: true, updated_at: new Date() })
      .where('id', '=', userId)
      .execute()
  })
}
