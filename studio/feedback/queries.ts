import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import type { z } from 'zod'
import { listFeedback } from '../../server/feedback/contract.ts'
import { call } from '../api.ts'

export type Feedback = z.infer<typeof listFeedback.reply>['rows'][number]
export type FeedbackKind = Feedback['kind']
export type FeedbackCounts = z.infer<typeof listFeedback.reply>['counts']

/** The key begins with `deliveries`: the live stream announces feedback as a change of deliveries. */
export const feedbackQuery = (newsletterId: string, publicationId: string, kind: FeedbackKind | undefined) =>
  infiniteQueryOptions({
    queryKey: [newsletterId, 'deliveries', publicationId, 'feedback', kind],
    queryFn: ({ pageParam }) =>
      call(listFeedback, {
        params: { newsletterId, publicationId },
        query: { limit: 6, ...(kind && { kind }), ...(pageParam && { cursor: pageParam }) },
      }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  })
