import { useInfiniteQuery } from '@tanstack/react-query'

interface Page<Row> {
  rows: Row[]
  /** The cursor of the next page. */
  next: string | null
}

/** Rows that are loaded page by page with a cursor. The rows on screen stay while others load. */
export function usePagedRows<Row, Rest>(
  queryKey: readonly unknown[],
  fetchPage: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<Row> & Rest>,
) {
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => fetchPage(pageParam ?? undefined, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    placeholderData: (earlier) => earlier,
  })
  const rows = (query.data?.pages ?? []).flatMap((page) => page.rows)
  return { query, rows, first: query.data?.pages[0] }
}
