import { useMantineColorScheme } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useMemo } from 'react'
import { useLocation } from 'react-router'
import type { z } from 'zod'
import { type CurrentUser, getMe, type Profile } from '../../server/identity/contract.ts'
import { call } from '../api.ts'
import { changeLanguage, currentLanguage, useLanguage } from '../language.ts'
import { detectSettings, keepCurrency, type Settings, symbolOf } from '../settings.ts'
import { flagsOf, type ShellFlags } from './flags.ts'

export type User = z.infer<typeof CurrentUser>
export type UserProfile = z.infer<typeof Profile>

/** The state that every screen can read: the signed-in user, their settings, and the flags of the address. */
export interface Client extends ShellFlags {
  /** Whether somebody is signed in; null until the server has answered. */
  auth: boolean | null
  currentUser: User | null
  /** Somebody has signed in and still owes the code of the second factor. */
  awaitsCode: boolean
  profile: Pick<UserProfile, 'mode' | 'singleKeys'>
  settings: Settings
  /** Why the server did not answer, if it did not. */
  error: unknown
  retry: () => unknown
}

const ClientContext = createContext<Client | null>(null)

export function useClient(): Client {
  const client = useContext(ClientContext)
  if (!client) throw new Error('useClient outside ClientProvider')
  return client
}

/** The signed-in user; only below a guarded route. */
export function useUser(): User {
  const { currentUser } = useClient()
  if (!currentUser) throw new Error('useUser outside a guarded route')
  return currentUser
}

export const meQuery = {
  queryKey: ['me'],
  queryFn: () => call(getMe, {}),
  staleTime: 60_000,
  // Mails that confirm an address open in another tab, from which people come back sooner than it is stale.
  refetchOnWindowFocus: 'always' as const,
}

export function ClientProvider({ children }: { children: ReactNode }) {
  const me = useQuery(meQuery)
  const { pathname } = useLocation()
  const language = useLanguage()
  const { colorScheme } = useMantineColorScheme()
  const user = me.data?.user ?? null
  const profile = me.data?.profile ?? null
  useFollowProfile(profile)

  const client = useMemo<Client>(
    () => ({
      ...flagsOf(pathname),
      auth: me.data ? user !== null : null,
      currentUser: user,
      awaitsCode: me.data?.awaitsCode ?? false,
      profile: { mode: profile?.mode ?? colorScheme, singleKeys: profile?.singleKeys ?? true },
      settings: settingsOf(profile, language),
      error: me.data ? null : me.error,
      retry: me.refetch,
    }),
    [pathname, me.data, me.error, me.refetch, user, profile, colorScheme, language],
  )
  return <ClientContext value={client}>{children}</ClientContext>
}

/** The detected settings, with those of the profile over them. */
function settingsOf(profile: UserProfile | null, language: Settings['language']): Settings {
  const detected = detectSettings()
  return {
    language,
    currency: profile?.currency ? symbolOf(profile.currency) : detected.currency,
    currencyformat: profile?.currency ?? detected.currencyformat,
    timezone: profile?.timezone ?? detected.timezone,
  }
}

/** The profile on the server decides the colour scheme, language and currency of a signed-in user on every device, which keeps them. */
function useFollowProfile(profile: UserProfile | null): void {
  const { setColorScheme } = useMantineColorScheme()
  const mode = profile?.mode
  const language = profile?.language
  const currency = profile?.currency
  useEffect(() => {
    if (currency) keepCurrency(symbolOf(currency))
  }, [currency])
  useEffect(() => {
    if (mode) setColorScheme(mode)
  }, [mode, setColorScheme])
  useEffect(() => {
    if (language && language !== currentLanguage()) void changeLanguage(language)
  }, [language])
}
