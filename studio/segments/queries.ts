import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { listOptInCampaigns } from '../../server/campaigns/opt-in/contract.ts'
import { listShortLinks } from '../../server/links/contract.ts'
import { listPublications } from '../../server/publications/contract.ts'
import { countSegment, getSegment, listFields, listSegments, listTags } from '../../server/segments/contract.ts'
import type { Filter } from '../../server/segments/filter/contract.ts'
import { call } from '../api.ts'

export const tagsQuery = (newsletterId: string) =>
  queryOptions({
    queryKey: [newsletterId, 'segments', 'tags'],
    queryFn: async () => (await call(listTags, { params: { newsletterId } })).tags,
  })

export const fieldsQuery = (newsletterId: string) =>
  queryOptions({
    queryKey: [newsletterId, 'segments', 'fields'],
    queryFn: async () => (await call(listFields, { params: { newsletterId } })).fields,
  })

export const segmentsQuery = (newsletterId: string) =>
  queryOptions({
    queryKey: [newsletterId, 'segments', 'list'],
    queryFn: async () => (await call(listSegments, { params: { newsletterId } })).segments,
  })

export const segmentQuery = (newsletterId: string, segmentId: number) =>
  queryOptions({
    queryKey: [newsletterId, 'segments', 'one', segmentId],
    queryFn: () => call(getSegment, { params: { newsletterId, segmentId } }),
  })

/** How many fit a filter now; while the next count is on its way, the one before. `exactly`: however many there are. */
export const countQuery = (newsletterId: string, filter: Filter | null, exactly = false) =>
  queryOptions({
    queryKey: [newsletterId, 'segments', 'count', filter, exactly],
    queryFn: ({ signal }) =>
      filter && call(countSegment, { params: { newsletterId }, body: { filter, exactly }, signal }),
    placeholderData: keepPreviousData,
    enabled: filter !== null,
  })

/** What conditions can name: the newest 200 publications and short links, and every campaign. */
export const partsQuery = (newsletterId: string) =>
  queryOptions({
    queryKey: [newsletterId, 'segments', 'parts'],
    queryFn: async () => {
      const params = { newsletterId }
      const [publications, links, campaigns] = await Promise.all([
        call(listPublications, { params, query: { limit: 200 } }),
        call(listShortLinks, { params, query: { limit: 200 } }),
        call(listOptInCampaigns, { params }),
      ])
      return {
        publications: publications.rows.filter(({ startedAt }) => startedAt !== null),
        links: links.rows,
        campaigns: campaigns.rows,
      }
    },
  })
