import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import {
  getShortLink,
  type ShortLink as Link,
  listShortLinks,
  listUtmTemplates,
  type Utm,
} from '../../server/links/contract.ts'
import { call } from '../api.ts'
import type { PublicationSummary } from '../publications/queries.ts'

const REFRESH_WHILE_SENDING_MS = 5_000

/**
 * The short links of a publication. They are made when its sending begins, which is a moment after the request to send:
 * so the key holds the status, and a change of status asks again.
 */
export const linksQuery = (
  newsletterId: string,
  { id: publicationId, status }: Pick<PublicationSummary, 'id' | 'status'>,
) =>
  queryOptions({
    queryKey: [newsletterId, 'clicks', publicationId, status],
    queryFn: () => call(listShortLinks, { params: { newsletterId }, query: { publicationId, limit: 100 } }),
    refetchInterval: status === 'sending' && REFRESH_WHILE_SENDING_MS,
    placeholderData: keepPreviousData,
  })

export type ShortLink = z.infer<typeof Link>
export type LinkFigures = z.infer<typeof getShortLink.reply>
export type UtmValues = z.output<typeof Utm>
export type UtmTemplate = z.infer<typeof listUtmTemplates.reply>['templates'][number]

export const linkPath = (linkId: string): string => `/advertise/links/${linkId}`

/** A link with its figures. It begins like the key of lists of links, so that a live event of clicks asks again for both. */
export const linkQuery = (
  newsletterId: string,
  linkId: string,
  range: { from?: string | undefined; by: 'hour' | 'day' },
) =>
  queryOptions({
    queryKey: [newsletterId, 'clicks', 'link', linkId, range],
    queryFn: () => call(getShortLink, { params: { newsletterId, linkId }, query: range }),
    placeholderData: keepPreviousData,
  })

export const utmTemplatesQuery = (newsletterId: string) =>
  queryOptions({
    queryKey: [newsletterId, 'utm-templates'],
    queryFn: async () => (await call(listUtmTemplates, { params: { newsletterId } })).templates,
  })
