import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorNotice } from './error-notice.tsx'
import { Loading } from './loading.tsx'

interface Props<T> {
  query: UseQueryResult<T>
  loading?: ReactNode
  children: (data: T) => ReactNode
}

/** The data of a query, or placeholder lines while it loads. An error is shown above the data known before. */
export function QueryContent<T>({ query, loading, children }: Props<T>) {
  if (query.isPending) return loading ?? <Loading />
  return (
    <>
      {query.isError && <ErrorNotice error={query.error} retry={query.refetch} />}
      {query.data !== undefined && children(query.data)}
    </>
  )
}
