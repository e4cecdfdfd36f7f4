import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { type Location, useLocation, useNavigate } from 'react-router'
import { updateProfile } from '../../server/identity/contract.ts'
import { useTrack } from '../analytics/events.tsx'
import { call } from '../api.ts'
import { currentLanguage } from '../language.ts'
import { detectSettings } from '../settings.ts'
import { meQuery } from '../shell/client.tsx'
import { firstPage } from '../shell/flags.ts'
import { invitationIn, returnPath } from '../shell/return-path.ts'

export interface SignIn {
  event: 'sign_up' | 'login'
  /** The provider's id, `email`, `magic-link` or `anonymous`. */
  method: string
}

/** Returns what to do after every sign-in: track it, save the settings of an account that has none, and go to the first page. */
export function useAfterSignIn() {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const track = useTrack()
  const location = useLocation()
  return useCallback(
    async ({ event, method }: SignIn) => {
      queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'me' && queryKey[0] !== 'providers' })
      // An answer that is still under way was asked for before.
      await queries.cancelQueries(meQuery)
      const { awaitsCode, profile } = await queries.fetchQuery({ ...meQuery, staleTime: 0 })
      // The sign-in page asks for the code, and comes back here.
      const { search, state } = location
      if (awaitsCode) return void (await navigate(`/login${search}`, { replace: true, state }))
      if (profile?.language === null)
        await saveDeviceSettings().then(
          (saved) => queries.setQueryData(meQuery.queryKey, (me) => me && { ...me, profile: saved }),
          () => undefined,
        )
      track({ name: event, params: { method } })
      const from = returnPath(location)
      const back = event === 'login' || invitationIn(from) ? from : undefined
      await navigate(back ?? firstPage(search), { replace: true })
    },
    [queries, navigate, track, location],
  )
}

/** An account starts with the colour scheme, language and timezone of this device. */
function saveDeviceSettings() {
  const mode = localStorage.getItem('mode')
  return call(updateProfile, {
    body: {
      language: currentLanguage(),
      timezone: detectSettings().timezone,
      ...((mode === 'light' || mode === 'dark') && { mode }),
    },
  })
}

/** The URL that a provider or a mailed link leads back to, with what the page there needs to know of the `location` that it was asked for on. */
export function signInReturnUrl({ event, method }: SignIn, location: Location<unknown>): string {
  const product = new URLSearchParams(location.search).get('product')
  const from = returnPath(location)
  const query = new URLSearchParams({ event, method, ...(product && { product }), ...(from && { from }) })
  return `/arrived?${query}`
}
