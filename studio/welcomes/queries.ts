import { queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { listPublications } from '../../server/publications/contract.ts'
import { listWelcomes, type Welcome as Shape } from '../../server/welcomes/contract.ts'
import { call } from '../api.ts'

export type Welcome = z.infer<typeof Shape>

/** Its key begins with the word of the live stream for what changes most often in it. */
export const welcomesQuery = (newsletterId: string) =>
  queryOptions({
    queryKey: [newsletterId, 'deliveries', 'welcomes'],
    queryFn: async () => (await call(listWelcomes, { params: { newsletterId } })).welcomes,
  })

/** The newest 200 publications, any of which can be a welcome. */
export const choosableQuery = (newsletterId: string) =>
  queryOptions({
    queryKey: [newsletterId, 'publications', 'choosable'],
    queryFn: async () => (await call(listPublications, { params: { newsletterId }, query: { limit: 200 } })).rows,
  })
