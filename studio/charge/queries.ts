import { queryOptions } from '@tanstack/react-query'
import { chargeOverview } from '../../server/charge/outside/contract.ts'
import { listCoupons, listPlans } from '../../server/charge/plans/contract.ts'
import { call } from '../api.ts'

/** What every part of Charge begins with, so that one change draws all of it anew. */
export const chargeKey = (newsletterId: string) => [newsletterId, 'charge'] as const

export const plansQuery = (newsletterId: string) =>
  queryOptions({
    queryKey: [...chargeKey(newsletterId), 'plans'],
    queryFn: () => call(listPlans, { params: { newsletterId } }),
  })

export const overviewQuery = (newsletterId: string) =>
  queryOptions({
    queryKey: [...chargeKey(newsletterId), 'overview'],
    queryFn: () => call(chargeOverview, { params: { newsletterId } }),
  })

export const giftsKey = (newsletterId: string) => [...chargeKey(newsletterId), 'gifts'] as const

export const couponsQuery = (newsletterId: string) =>
  queryOptions({
    queryKey: [...chargeKey(newsletterId), 'coupons'],
    queryFn: async () => (await call(listCoupons, { params: { newsletterId } })).coupons,
  })
