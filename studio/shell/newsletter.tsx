import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react'
import { Navigate, useLocation } from 'react-router'
import type { z } from 'zod'
import { NEWSLETTER_PARAMETER, studioPaths } from '../../server/http/studio-paths.ts'
import { listNewsletters, type NewsletterDetail } from '../../server/newsletters/contract.ts'
import { may, type Permission } from '../../server/permissions.ts'
import { call } from '../api.ts'
import { TimezoneContext } from '../timezone.ts'
import { AccountAlone } from './account-alone.tsx'
import { PageLoading, ServerUnavailable } from './guard.tsx'

export type Newsletter = z.infer<typeof NewsletterDetail>

const CHOICE = 'newsletter'

/** The newsletter that is open, and what the signed-in member may do in it. */
interface OpenNewsletter extends Newsletter {
  may(permission: Permission): boolean
}

interface NewsletterChoice {
  newsletter: OpenNewsletter
  newsletters: Newsletter[]
  choose: (newsletterId: string) => void
}

const ChoiceContext = createContext<NewsletterChoice | null>(null)

const listQuery = queryOptions({ queryKey: ['newsletters'], queryFn: () => call(listNewsletters, {}) })

export const newslettersQuery = queryOptions({ ...listQuery, select: ({ newsletters }) => newsletters })

/** Those that were deleted and are still kept. */
export const deletedNewslettersQuery = queryOptions({ ...listQuery, select: ({ deleted }) => deleted })

/** Those that somebody removed the user from lately. */
export const removedFromQuery = queryOptions({ ...listQuery, select: ({ removedFrom }) => removedFrom })

/** The newsletter that is open now. Only for components below the shell. */
export const useNewsletter = (): OpenNewsletter => useNewsletterChoice().newsletter

/** The open newsletter, all newsletters of the user, and a function that opens another. */
export function useNewsletterChoice(): NewsletterChoice {
  const choice = useContext(ChoiceContext)
  if (!choice) throw new Error('useChoice outside NewsletterProvider')
  return choice
}

/** Remembers the open newsletter on this device. */
export const rememberNewsletter = (newsletterId: string) => localStorage.setItem(CHOICE, newsletterId)

export const forgetNewsletter = () => localStorage.removeItem(CHOICE)

/** Replaces a changed newsletter in the query cache, so that every screen shows it at once. */
export function showNewsletter(queries: QueryClient, changed: Newsletter): void {
  queries.setQueryData(
    newslettersQuery.queryKey,
    (known) =>
      known && { ...known, newsletters: known.newsletters.map((one) => (one.id === changed.id ? changed : one)) },
  )
}

const open = (newsletter: Newsletter): OpenNewsletter => ({
  ...newsletter,
  may: (permission) => may(newsletter.role, permission),
})

/** Loads the user's newsletters and opens the one that the address names, or the one opened last; without any, redirects to the welcome page. */
export function NewsletterProvider({ children }: { children: ReactNode }) {
  const { pathname, search } = useLocation()
  const newsletters = useQuery(newslettersQuery)
  const queries = useQueryClient()
  const [named] = useState(() => new URLSearchParams(search).get(NEWSLETTER_PARAMETER))
  const [last] = useState(() => localStorage.getItem(CHOICE))
  const [chosen, setChosen] = useState(named ?? last)
  const choose = useCallback(
    (newsletterId: string) => {
      rememberNewsletter(newsletterId)
      setChosen(newsletterId)
      void queries.invalidateQueries(newslettersQuery)
    },
    [queries],
  )
  const all = newsletters.data
  const newsletter = all?.find(({ id }) => id === chosen) ?? all?.find(({ id }) => id === last) ?? all?.[0]
  const isNamed = named !== null && newsletter?.id === named
  useEffect(() => {
    if (isNamed) rememberNewsletter(named)
  }, [isNamed, named])
  const choice = useMemo(
    () => (newsletter && all ? { newsletter: open(newsletter), newsletters: all, choose } : null),
    [newsletter, all, choose],
  )
  if (newsletters.isPending) return <PageLoading />
  if (newsletters.isError && !all) return <ServerUnavailable error={newsletters.error} retry={newsletters.refetch} />
  // The account is there without a newsletter too: to sign out, and to be deleted.
  if (!choice && pathname === studioPaths.profile) return <AccountAlone />
  if (!choice) return <Navigate to={studioPaths.welcome} state={{ from: pathname }} replace />
  return (
    <ChoiceContext value={choice}>
      <TimezoneContext value={choice.newsletter.timezone}>{children}</TimezoneContext>
    </ChoiceContext>
  )
}
