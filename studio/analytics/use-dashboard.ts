import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import { getDashboard } from '../../server/analytics/contract.ts'
import { call } from '../api.ts'
import { useNewsletter } from '../shell/newsletter.tsx'

export type Dashboard = z.infer<(typeof getDashboard)['reply']>
export type Growth = Dashboard['growth']
export type Result = Dashboard['publications'][number]

/** The figures of the open newsletter over a number of weeks; the last ones stay on screen while others load. */
export function useDashboard(weeks: number) {
  const { id } = useNewsletter()
  return useQuery({
    queryKey: [id, 'dashboard', weeks],
    queryFn: () => call(getDashboard, { params: { newsletterId: id }, query: { weeks } }),
    placeholderData: keepPreviousData,
  })
}
