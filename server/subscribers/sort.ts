import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { z } from 'zod'
import { AppError } from '../errors.ts'
import type { ShownIds } from '../http/shown-ids.ts'
import type { SubscriberOrder } from './contract.ts'

interface Sort {
  /** Of a subscriber `s`. Each has an index that begins with the newsletter and ends with the id (migrations/0039). */
  by: RawBuilder<unknown>
  type: RawBuilder<unknown>
  first: 'asc' | 'desc'
}

const sorts = {
  /** Ids are made in the order of time. */
  newest: { by: sql`s.id`, type: sql`uuid`, first: 'desc' },
  address: { by: sql`s.email_normalised`, type: sql`text`, first: 'asc' },
  name: { by: sql`subscriber_sort_name(s.name, s.email_normalised) collate "C"`, type: sql`text`, first: 'asc' },
  joined: { by: sql`coalesce(s.confirmed_at, s.created_at)`, type: sql`timestamptz`, first: 'desc' },
  changed: {
    by: sql`coalesce(s.changed_at, greatest(s.created_at, s.confirmed_at, s.left_at))`,
    type: sql`timestamptz`,
    first: 'desc',
  },
} satisfies Record<SubscriberOrder, Sort>

/** Where a page ended: the value of its last row in the order, as text, and its id. */
export interface Position {
  value: string
  id: string
}

export interface Order {
  sort: SubscriberOrder
  direction: 'asc' | 'desc'
}

export const orderOf = (sort: SubscriberOrder, direction: 'asc' | 'desc' | undefined): Order => ({
  sort,
  direction: direction ?? sorts[sort].first,
})

/**
 * SQL for the order of subscribers `s`, the value in it as text, and what comes after a position.
 *
 * @param by the value itself, where it is known already
 */
export function sqlOf({ sort, direction }: Order, by: RawBuilder<unknown> = sorts[sort].by) {
  const { type } = sorts[sort]
  const way = sql.raw(direction)
  return {
    key: by,
    value: sql<string>`(${by})::text`,
    orderBy: sql`${by} ${way}, s.id ${way}`,
    after: ({ value, id }: Position) =>
      sql<SqlBool>`(${by}, s.id) ${sql.raw(direction === 'asc' ? '>' : '<')} (${value}::${type}, ${id}::uuid)`,
  }
}

/** As PostgreSQL writes it: `2026-01-05 08:30:00.123456+00`. */
const Instant = z
  .string()
  .transform((text) => text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'))
  .pipe(z.iso.datetime({ offset: true }))

const Cursor = z.tuple([z.string(), z.string(), z.string().max(600), z.string()])

/** It holds the value, not only the id, so that the next page begins there though its row changed or went meanwhile. */
export const writeCursor = ({ sort, direction }: Order, { value, id }: Position, shownIds: ShownIds): string =>
  sort === 'newest'
    ? shownIds.show(id)
    : Buffer.from(JSON.stringify([sort, direction, value, shownIds.show(id)])).toString('base64url')

/** @throws AppError invalid when it is of another order, or none */
export function readCursor(cursor: string, { sort, direction }: Order, shownIds: ShownIds): Position {
  try {
    if (sort === 'newest') {
      const id = shownIds.read(cursor)
      return { value: id, id }
    }
    const [ofSort, ofDirection, value, shown] = Cursor.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()))
    if (ofSort !== sort || ofDirection !== direction || value.includes('\0')) throw new Error('of another order')
    if (sort === 'joined' || sort === 'changed') Instant.parse(value)
    return { value, id: shownIds.read(shown) }
  } catch (cause) {
    throw new AppError('invalid', { fields: { cursor: 'wrong' }, cause })
  }
}
