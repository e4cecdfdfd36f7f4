import { useInfiniteQuery } from '@tanstack/react-query'

interface Page<Row> {
  rows: Row[]
  next: string | null
}

/** Rows that come page by page, behind a cursor; those already there stay on screen while others load. */
export function usePagedRows<P extends Page<unknown>>(
  queryKey: readonly unknown[],
  fetchPage: (cursor: string | undefined, signal: AbortSignal) => Promise<P>,
) {
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => fetchPage(pageParam ?? undefined, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    placeholderData: (earlier) => earlier,
  })
  const rows = (query.data?.pages ?? []).flatMap((page) => page.rows) as P['rows']
  return { query, rows, first: query.data?.pages[0] }
}
