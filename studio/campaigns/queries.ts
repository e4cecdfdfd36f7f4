import { queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { readAdvertiseResults } from '../../server/campaigns/advertise/contract.ts'
import {
  getOptInCampaign,
  listCampaignOffers,
  listOptInCampaigns,
  type OptInCampaign,
} from '../../server/campaigns/opt-in/contract.ts'
import { listShortLinks } from '../../server/links/contract.ts'
import { call } from '../api.ts'

export type Campaign = z.output<typeof OptInCampaign>

/** What every part of campaigns begins with, so that one change draws all of it anew. */
export const campaignsKey = (newsletterId: string) => [newsletterId, 'campaigns'] as const

export const campaignsQuery = (newsletterId: string) =>
  queryOptions({
    queryKey: [...campaignsKey(newsletterId), 'list'],
    queryFn: () => call(listOptInCampaigns, { params: { newsletterId } }),
  })

export const campaignQuery = (newsletterId: string, campaignId: string) =>
  queryOptions({
    queryKey: [...campaignsKey(newsletterId), 'one', campaignId],
    queryFn: () => call(getOptInCampaign, { params: { newsletterId, campaignId } }),
  })

export const resultsQuery = (newsletterId: string) =>
  queryOptions({
    queryKey: [...campaignsKey(newsletterId), 'results'],
    queryFn: () => call(readAdvertiseResults, { params: { newsletterId } }),
  })

export const offersQuery = (newsletterId: string) =>
  queryOptions({
    queryKey: [...campaignsKey(newsletterId), 'offers'],
    queryFn: () => call(listCampaignOffers, { params: { newsletterId } }),
  })

export const campaignPath = (campaignId: string): string => `/advertise/campaigns/${campaignId}`

/** The last short links of the owner's own making. */
export const lastLinksQuery = (newsletterId: string) =>
  queryOptions({
    queryKey: [newsletterId, 'clicks', 'last'],
    queryFn: () => call(listShortLinks, { params: { newsletterId }, query: { own: 'true', limit: 5 } }),
  })
