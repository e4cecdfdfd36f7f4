import { type QueryFilters, useIsFetching, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { Loading } from './loading.tsx'
import classes from './ui.module.css'

/** Nobody waits longer for what is there. */
const PATIENCE_MS = 2_000

/** What has been asked and neither answered nor refused yet. */
const unanswered: QueryFilters = { predicate: ({ state }) => state.data === undefined && state.fetchFailureCount === 0 }

/** Shows its parts once each of them has asked and been answered: one that came later would move what is being read. */
export function Together({ children }: { children: ReactNode }) {
  const [shown, show] = useState(false)
  const [begun, begin] = useState(false)
  const queries = useQueryClient()
  const waiting = useIsFetching(unanswered)
  useEffect(() => {
    begin(true)
    const timer = setTimeout(() => show(true), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [])
  useEffect(() => {
    // What is told of queries comes a moment after they have begun.
    if (begun && waiting === 0 && queries.isFetching(unanswered) === 0) show(true)
  }, [begun, waiting, queries])
  return (
    <>
      {!shown && <Loading />}
      <div className={shown ? undefined : classes.waits}>{children}</div>
    </>
  )
}
