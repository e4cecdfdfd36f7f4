import type { Kysely } from 'kysely'
import { z } from 'zod'
import type { DB } from '../../database/types.ts'
import { AppError } from '../../errors.ts'
import { type FieldValue, setFields } from '../../segments/fields.ts'
import { setTags, tagsOf } from '../../segments/tags.ts'
import type { Asker } from '../asker.ts'
import type { SubscriberKey } from '../change.ts'
import { findSubscriber, lockSubscriber } from '../queries.ts'
import { noteEdit } from './edits.ts'

interface Wanted {
  tagIds?: number[] | undefined
  fields?: Record<string, FieldValue> | undefined
  by: Asker
}

const Fields = z.record(z.string(), z.unknown())

/**
 * Sets the tags of a subscriber and values of custom fields, and notes what changed by it for the timeline.
 *
 * @throws AppError subscriber_not_found, tag_not_found, too_many_tags, invalid
 */
export const editSubscriber = (db: Kysely<DB>, key: SubscriberKey, { tagIds, fields, by }: Wanted) =>
  db.transaction().execute(async (tx) => {
    const before = await lockSubscriber(tx, key)
    if (!before) throw new AppError('subscriber_not_found')
    const had = await tagsOf(tx, key)
    if (tagIds) await setTags(tx, key, tagIds)
    if (fields) await setFields(tx, key, fields)
    const tags = await tagsOf(tx, key)
    const after = (await findSubscriber(tx, key.newsletterId, key.subscriberId))?.fields
    await noteEdit(tx, {
      newsletterId: key.newsletterId,
      subscriberIds: [key.subscriberId],
      given: namesMissingIn(had, tags),
      taken: namesMissingIn(tags, had),
      fields: changedKeys(Fields.parse(before.fields), Fields.parse(after)),
      by,
    })
    return { tags, fields: after }
  })

/** The names of the tags that others do not have. */
const namesMissingIn = (others: { id: number }[], tags: { id: number; name: string }[]): string[] =>
  tags.filter(({ id }) => !others.some((other) => other.id === id)).map(({ name }) => name)

const changedKeys = (before: z.output<typeof Fields>, after: z.output<typeof Fields>): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((key) => before[key] !== after[key])
