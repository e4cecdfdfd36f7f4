import { sql } from 'kysely'
import type { z } from 'zod'
import type { Db } from '../database/client.ts'
import { AppError } from '../errors.ts'
import { codeOf } from '../start-error.ts'
import { type changeUtmTemplate, type keepUtmTemplate, linkLimits, type listUtmTemplates } from './contract.ts'

const UNIQUE_VIOLATION = '23505'

type Templates = z.input<typeof listUtmTemplates.reply>['templates']

export const listTemplates = (db: Db, newsletterId: string): Promise<Templates> =>
  db
    .selectFrom('utm_template')
    .select(['id', 'name', 'source', 'medium', 'campaign', 'term', 'content'])
    .where('newsletter_id', '=', newsletterId)
    .orderBy('name')
    .execute()

/** Stores values under a name, in place of those that it had. @throws AppError too_many_utm_templates */
export async function keepTemplate(
  db: Db,
  newsletterId: string,
  values: z.output<typeof keepUtmTemplate.body>,
): Promise<Templates[number]> {
  const known = await listTemplates(db, newsletterId)
  const isNew = !known.some(({ name }) => name.toLowerCase() === values.name.toLowerCase())
  if (isNew && known.length >= linkLimits.utmTemplates) throw new AppError('too_many_utm_templates')
  return db
    .insertInto('utm_template')
    .values({ newsletter_id: newsletterId, ...values })
    .onConflict((conflict) => conflict.expression(sql`newsletter_id, lower(name)`).doUpdateSet(values))
    .returning(['id', 'name', 'source', 'medium', 'campaign', 'term', 'content'])
    .executeTakeFirstOrThrow()
}

/** Changes values and their name. @throws AppError utm_template_not_found, utm_name_taken */
export async function changeTemplate(
  db: Db,
  { newsletterId, templateId }: { newsletterId: string; templateId: number },
  values: z.output<typeof changeUtmTemplate.body>,
): Promise<Templates[number]> {
  const change = db
    .updateTable('utm_template')
    .set(values)
    .where('newsletter_id', '=', newsletterId)
    .where('id', '=', templateId)
    .returning(['id', 'name', 'source', 'medium', 'campaign', 'term', 'content'])
  const changed = await change.executeTakeFirst().catch((error: unknown) => {
    if (codeOf(error) !== UNIQUE_VIOLATION) throw error
    throw new AppError('utm_name_taken', { field: 'name', cause: error })
  })
  if (!changed) throw new AppError('utm_template_not_found')
  return changed
}

/** @throws AppError utm_template_not_found */
export async function removeTemplate(db: Db, newsletterId: string, id: number): Promise<void> {
  const removal = db.deleteFrom('utm_template').where('newsletter_id', '=', newsletterId).where('id', '=', id)
  const { numDeletedRows } = await removal.executeTakeFirst()
  if (numDeletedRows === 0n) throw new AppError('utm_template_not_found')
}
