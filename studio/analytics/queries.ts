import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import {
  compareNewsletters,
  getChecklist,
  getDashboard,
  getHighlights,
  getPublicationResult,
  listPublicationResults,
  type PublicationResult as ResultShape,
} from '../../server/analytics/contract.ts'
import { call } from '../api.ts'

/** What a publication led to: deliveries by state, opens, clicks, bounces. */
export type PublicationResult = z.infer<typeof ResultShape>
/** The same, and how its sending goes on. */
export type RunningResult = z.infer<typeof getPublicationResult.reply>
export type Dashboard = z.infer<typeof getDashboard.reply>

export type AskedRange = z.input<typeof getDashboard.query>

/** The dashboard over a range of days. The last one stays on screen while another loads. */
export const dashboardQuery = (newsletterId: string, asked: AskedRange) =>
  queryOptions({
    queryKey: [newsletterId, 'dashboard', asked],
    queryFn: () => call(getDashboard, { params: { newsletterId }, query: asked }),
    placeholderData: keepPreviousData,
  })

/** The steps of the set-up, for pages other than the dashboard. They are not read again once none is left. */
export const checklistQuery = (newsletterId: string) =>
  queryOptions({
    queryKey: [newsletterId, 'dashboard', 'checklist'],
    queryFn: () => call(getChecklist, { params: { newsletterId } }),
    enabled: ({ state }) =>
      state.data === undefined || state.data.checklist.some(({ done, skipped }) => !done && !skipped),
  })

/** Whether a step is left that nobody can take before an owner has proven an address. */
export const waitsForAddress = ({ step, done }: Dashboard['checklist'][number], mayMail: boolean): boolean =>
  !mayMail && !done && (step === 'sample' || step === 'subscriber')

/** The step that helps most now, of those that are neither done nor left out nor wait. Nothing waits for the colours, so they come last. */
export function nextStep(steps: Dashboard['checklist'], mayMail: boolean) {
  const open = steps.filter((each) => !each.done && !each.skipped && !waitsForAddress(each, mayMail))
  return open.find(({ step }) => step !== 'branding') ?? open[0]
}

export type Highlights = z.infer<typeof getHighlights.reply>

/** The best links and sources, and revenue. It is not fetched with each click that comes: it reads more than the dashboard. */
export const highlightsQuery = (newsletterId: string, asked: AskedRange) =>
  queryOptions({
    queryKey: [newsletterId, 'highlights', asked],
    queryFn: () => call(getHighlights, { params: { newsletterId }, query: asked }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })

export type Compared = z.infer<typeof compareNewsletters.reply>['newsletters'][number]

/** The newsletters of whoever is signed in, with the figures of a range. */
export const comparedQuery = (asked: AskedRange) =>
  queryOptions({
    queryKey: ['newsletters', 'compared', asked],
    queryFn: () => call(compareNewsletters, { query: asked }),
    placeholderData: keepPreviousData,
  })

export const resultQuery = (newsletterId: string, publicationId: string) =>
  queryOptions({
    queryKey: [newsletterId, 'dashboard', 'result', publicationId],
    queryFn: () => call(getPublicationResult, { params: { newsletterId, publicationId } }),
  })

/** The results of those publications whose sending has begun. */
export const resultsQuery = (newsletterId: string, publications: { id: string; startedAt: string | null }[]) => {
  const ids = publications.filter(({ startedAt }) => startedAt !== null).map(({ id }) => id)
  return queryOptions({
    queryKey: [newsletterId, 'dashboard', 'results', ids],
    queryFn: () => call(listPublicationResults, { params: { newsletterId }, query: { ids: ids.join(',') } }),
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
  })
}
