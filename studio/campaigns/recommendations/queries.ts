import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { listRecommendations, listRecommenders } from '../../../server/campaigns/recommendations/contract.ts'
import { call } from '../../api.ts'

const DAY_MS = 86_400_000
const days = { month: 30, quarter: 90, always: null } as const

export const periods = ['month', 'quarter', 'always'] as const
export type Period = (typeof periods)[number]

/** The days (UTC) of a period that ends today. */
export function daysOf(period: Period, now = new Date()): { from?: string; to?: string } {
  const count = days[period]
  const dayAt = (time: number) => new Date(time).toISOString().slice(0, 10)
  return count === null ? {} : { from: dayAt(now.getTime() - (count - 1) * DAY_MS), to: dayAt(now.getTime()) }
}

export const recommendationsKey = (newsletterId: string) => [newsletterId, 'recommendations']

export const recommendationsQuery = (newsletterId: string, period: Period) =>
  queryOptions({
    queryKey: [...recommendationsKey(newsletterId), 'ours', period],
    queryFn: () => call(listRecommendations, { params: { newsletterId }, query: daysOf(period) }),
    placeholderData: keepPreviousData,
  })

export const recommendersQuery = (newsletterId: string, period: Period) =>
  queryOptions({
    queryKey: [...recommendationsKey(newsletterId), 'theirs', period],
    queryFn: () => call(listRecommenders, { params: { newsletterId }, query: daysOf(period) }),
    placeholderData: keepPreviousData,
  })
