import type { z } from 'zod'
import type { Context } from '../context.ts'
import type { Db } from '../database/client.ts'
import { findSegment } from '../segments/segments.ts'
import type { Chosen } from './bulk/contract.ts'
import type { subscriberFilters } from './contract.ts'
import type { Wanted } from './queries.ts'

type Filters = z.output<z.ZodObject<typeof subscriberFilters>>

/** What a caller's filters ask for, with the conditions of their segment as they are now. @throws AppError segment_not_found */
export async function wantedBy(db: Db, newsletterId: string, { segmentId, ...filters }: Filters): Promise<Wanted> {
  if (segmentId === undefined) return filters
  return { ...filters, filter: (await findSegment(db, { newsletterId, segmentId })).filter }
}

/** Those whom a caller names, or who match their filters. @throws AppError segment_not_found */
export const chosenBy = async (
  { db, shownIds }: Pick<Context, 'db' | 'shownIds'>,
  newsletterId: string,
  chosen: Chosen,
): Promise<Wanted> =>
  'ids' in chosen ? { ids: chosen.ids.map((id) => shownIds.read(id)) } : wantedBy(db, newsletterId, chosen.matching)
