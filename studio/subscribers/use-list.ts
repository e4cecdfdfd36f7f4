import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { z } from 'zod'
import { SubscriberOrder, SubscriberStatus, subscriberFilters } from '../../server/subscribers/contract.ts'

/** What the list shows, as it stands in the address: it can be shared and reloaded. */
const Shown = z.object({
  status: SubscriberStatus.optional().catch(undefined),
  search: subscriberFilters.search.catch(undefined),
  tagId: subscriberFilters.tagId.catch(undefined),
  segmentId: subscriberFilters.segmentId.catch(undefined),
  language: subscriberFilters.language.catch(undefined),
  pace: subscriberFilters.pace.catch(undefined),
  source: subscriberFilters.source.catch(undefined),
  sort: SubscriberOrder.optional().catch(undefined),
  direction: z.enum(['asc', 'desc']).optional().catch(undefined),
  /** The subscriber who is open beside the list. */
  open: z.string().optional(),
})
type Shown = z.infer<typeof Shown>

export type Filters = Pick<Shown, 'status' | 'search' | 'tagId' | 'segmentId' | 'language' | 'pace' | 'source'>
export type Change = { [Name in keyof Shown]?: Shown[Name] | null }

export function useList() {
  const [params, setParams] = useSearchParams()
  const {
    sort = 'newest',
    direction,
    open,
    ...filters
  } = useMemo(() => Shown.parse(Object.fromEntries(params)), [params])
  /** Null takes a part out of the address. */
  const change = (parts: Change) =>
    setParams(
      (current) => {
        const next = new URLSearchParams(current)
        for (const [name, value] of Object.entries(parts)) {
          if (value === null || value === undefined || value === '') next.delete(name)
          else next.set(name, String(value))
        }
        return next
      },
      { replace: !('open' in parts) },
    )
  return { filters, sort, direction, open: open ?? null, change }
}

export type List = ReturnType<typeof useList>
