import type { z } from 'zod'
import type { Db } from '../database/client.ts'
import { findSegment } from '../segments/segments.ts'
import type { subscriberFilters } from './contract.ts'
import type { Wanted } from './queries.ts'

type Filters = z.output<z.ZodObject<typeof subscriberFilters>>

/** What a caller's filters ask for, with the conditions of their segment as they are now. @throws AppError segment_not_found */
export async function wantedBy(db: Db, newsletterId: string, { segmentId, ...filters }: Filters): Promise<Wanted> {
  if (segmentId === undefined) return filters
  return { ...filters, filter: (await findSegment(db, { newsletterId, segmentId })).filter }
}
