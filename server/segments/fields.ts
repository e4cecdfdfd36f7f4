import type { Kysely } from 'kysely'
import { z } from 'zod'
import type { Db } from '../database/client.ts'
import type { DB } from '../database/types.ts'
import { AppError } from '../errors.ts'
import { removeFieldValues, type SubscriberKey, setFieldValues } from '../subscribers/change.ts'
import type { CustomField as CustomFieldShape, createField, updateField } from './contract.ts'
import { namedOnce, requireRoom } from './room.ts'
import { requireUnused } from './uses.ts'

export type CustomField = z.infer<typeof CustomFieldShape>
interface FieldKey {
  newsletterId: string
  fieldId: number
}

const columns = ['id', 'key', 'label', 'kind', 'choices', 'shown_to_subscriber as shownToSubscriber'] as const
const refusedField = (index: string) => (index === 'custom_field_key' ? 'key' : 'label')

/** In the order in which they were made. */
export const listFields = (db: Db, newsletterId: string): Promise<CustomField[]> =>
  db.selectFrom('custom_field').select(columns).where('newsletter_id', '=', newsletterId).orderBy('id').execute()

/** @throws AppError name_taken, too_many_fields */
export const addField = (
  db: Kysely<DB>,
  newsletterId: string,
  field: z.output<typeof createField.body>,
): Promise<CustomField> =>
  db.transaction().execute(async (tx) => {
    await requireRoom(tx, newsletterId, 'custom_field')
    const insert = tx.insertInto('custom_field').values({ newsletter_id: newsletterId, ...field })
    return namedOnce(insert.returning(columns).executeTakeFirstOrThrow(), refusedField)
  })

/** @throws AppError field_not_found, name_taken; invalid when a choice field would have no choice, or another would have some */
export const changeField = (
  db: Kysely<DB>,
  { newsletterId, fieldId }: FieldKey,
  change: z.output<typeof updateField.body>,
): Promise<CustomField> =>
  db.transaction().execute(async (tx) => {
    const field = await lockField(tx, { newsletterId, fieldId })
    const { label = field.label, choices = field.choices, shownToSubscriber = field.shownToSubscriber } = change
    if ((field.kind === 'choice') !== choices.length > 0)
      throw new AppError('invalid', { fields: { choices: 'wrong' } })
    const update = tx
      .updateTable('custom_field')
      .set({ label, choices, shown_to_subscriber: shownToSubscriber })
      .where('newsletter_id', '=', newsletterId)
      .where('id', '=', fieldId)
    return namedOnce(update.returning(columns).executeTakeFirstOrThrow(), refusedField)
  })

async function lockField(tx: Db, { newsletterId, fieldId }: FieldKey): Promise<CustomField> {
  const query = tx.selectFrom('custom_field').select(columns).where('newsletter_id', '=', newsletterId)
  const field = await query.where('id', '=', fieldId).forUpdate().executeTakeFirst()
  if (!field) throw new AppError('field_not_found')
  return field
}

/** Deletes a field with all its values. @returns its label. @throws AppError field_not_found, in_use */
export const deleteField = (db: Kysely<DB>, key: FieldKey, evenIfUsed: boolean): Promise<string> =>
  db.transaction().execute(async (tx) => {
    const { newsletterId, fieldId } = key
    const field = await lockField(tx, key)
    await requireUnused(tx, { newsletterId, what: { field: field.key }, evenIfUsed })
    await tx.deleteFrom('custom_field').where('newsletter_id', '=', newsletterId).where('id', '=', fieldId).execute()
    await removeFieldValues(tx, newsletterId, field.key)
    return field.label
  })

/** The kinds of fields by their keys. They stay as they are until the transaction ends. */
export async function lockKinds(tx: Db, newsletterId: string): Promise<Map<string, CustomField>> {
  const fields = await tx
    .selectFrom('custom_field')
    .select(columns)
    .where('newsletter_id', '=', newsletterId)
    .orderBy('id')
    .forKeyShare()
    .execute()
  return new Map(fields.map((field) => [field.key, field]))
}

/** A value of a custom field; null removes it. */
export type FieldValue = string | number | boolean | null

const valueShapes = {
  text: z
    .string()
    .trim()
    .min(1)
    .max(500)
    .regex(/^[^\p{Cc}\p{Bidi_Control}]*$/u),
  choice: z.string(),
  number: z.number().min(-1e15).max(1e15),
  date: z.iso.date(),
  yes_no: z.boolean(),
} as const

/** What is wrong with a value of a field, or null. */
function faultOf(field: CustomField | undefined, value: FieldValue): string | null {
  if (!field) return 'unknown_field'
  if (value === null) return null
  if (field.kind === 'choice') return field.choices.some((choice) => choice === value) ? null : 'not_a_choice'
  return valueShapes[field.kind].safeParse(value).success ? null : `not_a_${field.kind}`
}

/**
 * Sets values of a subscriber's custom fields; those that are not named stay. A choice that was taken off the list stays with
 * who has it, and cannot be given anew.
 *
 * @throws AppError invalid, with what is wrong at each key
 */
export async function setFields(
  tx: Db,
  { newsletterId, subscriberId }: SubscriberKey,
  values: Record<string, FieldValue>,
): Promise<void> {
  const known = await lockKinds(tx, newsletterId)
  const faults = Object.entries(values).flatMap(([key, value]) => {
    const fault = faultOf(known.get(key), value)
    return fault === null ? [] : [[`fields.${key}`, fault]]
  })
  if (faults.length > 0) throw new AppError('invalid', { fields: Object.fromEntries(faults) })
  const given = Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, typeof value === 'string' ? value.trim() : value]),
  )
  await setFieldValues(tx, { newsletterId, subscriberId }, given)
}
