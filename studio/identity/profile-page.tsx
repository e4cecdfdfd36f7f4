import { SegmentedControl, Select, Switch, useMantineColorScheme } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { updateProfile } from '../../server/identity/contract.ts'
import { call } from '../api.ts'
import { AccountEvents } from '../audit/account-events.tsx'
import { changeLanguage, currentLanguage, ownLanguageChoices } from '../language.ts'
import { keepCurrency } from '../settings.ts'
import { meQuery, type UserProfile, useClient } from '../shell/client.tsx'
import { TimezoneContext } from '../timezone.ts'
import { useErrorToast } from '../ui/error-toast.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { Section } from '../ui/section.tsx'
import { fitsTimezone, timezones } from '../ui/timezones.ts'
import { LeaveGuard } from '../ui/unsaved.tsx'
import { AccountSection } from './account-section.tsx'
import classes from './identity.module.css'
import { PasskeysSection } from './passkeys-section.tsx'
import { PasswordSection } from './password-section.tsx'
import { SessionsSection } from './sessions-section.tsx'
import { SignOutSection } from './sign-out-section.tsx'
import { TwoFactorSection } from './two-factor-section.tsx'

/** The signed-in user: name, preferences, password, sessions, signing out and deleting the account. */
export function ProfilePage() {
  const { t } = useTranslation()
  const { currentUser, settings } = useClient()
  return (
    <TimezoneContext value={settings.timezone}>
      <PageTitle title={t('identity.profile.title')} />
      <LeaveGuard />
      <div className={classes.profile}>
        <div>
          <AccountSection />
          <PreferencesSection />
        </div>
        <div>
          <SessionsSection />
          {currentUser && !currentUser.anonymous && <SignInSections isProven={currentUser.emailVerified} />}
          <AccountEvents />
          <SignOutSection />
        </div>
      </div>
    </TimezoneContext>
  )
}

/** The ways to sign in. Before the address is proven they would stay when its true owner comes. */
function SignInSections({ isProven }: { isProven: boolean }) {
  const { t } = useTranslation()
  if (!isProven)
    return (
      <Section title={t('identity.profile.signIn')}>
        <p className={classes.hint}>{t('identity.profile.signInLater')}</p>
      </Section>
    )
  return (
    <>
      <PasswordSection />
      <TwoFactorSection />
      <PasskeysSection />
    </>
  )
}

function PreferencesSection() {
  const { t } = useTranslation()
  const { profile, settings } = useClient()
  const { setColorScheme } = useMantineColorScheme()
  const save = useSaveProfile()
  const [timezone, setTimezone] = useState(settings.timezone)
  const known = useMemo(() => timezones(timezone), [timezone])
  return (
    <Section title={t('identity.profile.like')}>
      <p style={{ fontSize: 13, color: 'var(--tirage-ink3)', marginBottom: 8 }}>{t('identity.profile.kept')}</p>
      <ul className={classes.rows}>
        <li>
          {t('identity.language')}
          <SegmentedControl
            aria-label={t('identity.language')}
            value={currentLanguage()}
            data={ownLanguageChoices}
            onChange={(language) => {
              void changeLanguage(language)
              save.mutate({ language: language })
            }}
          />
        </li>
        <li>
          {t('identity.profile.mode')}
          <SegmentedControl
            aria-label={t('identity.profile.mode')}
            value={profile.mode}
            data={(['auto', 'light', 'dark'] as const).map((mode) => ({
              value: mode,
              label: t(`identity.profile.modes.${mode}`),
            }))}
            onChange={(mode) => {
              setColorScheme(mode)
              save.mutate({ mode: mode })
            }}
          />
        </li>
        <li>
          <span>
            {t('identity.profile.currency')}
            <small>{t('identity.profile.currencyFor')}</small>
          </span>
          <SegmentedControl
            aria-label={t('identity.profile.currency')}
            value={settings.currency}
            data={['€', '$']}
            onChange={(symbol) => {
              keepCurrency(symbol)
              save.mutate({ currency: symbol === '€' ? 'eur' : 'usd' })
            }}
          />
        </li>
        <li>
          <span>
            {t('identity.profile.timezone')}
            <small>{t('identity.profile.timezoneFor')}</small>
          </span>
          <Select
            w={220}
            miw={170}
            aria-label={t('identity.profile.timezone')}
            searchable
            allowDeselect={false}
            data={known}
            filter={({ options, search }) =>
              options.filter((zone) => 'label' in zone && fitsTimezone(zone.label, search))
            }
            value={timezone}
            onChange={(zone) => {
              if (!zone) return
              setTimezone(zone)
              save.mutate({ timezone: zone })
            }}
          />
        </li>
        <li>
          <span>
            {t('identity.profile.singleKeys')}
            <small>{t('identity.profile.singleKeysFor')}</small>
          </span>
          <Switch
            aria-label={t('identity.profile.singleKeys')}
            checked={profile.singleKeys}
            onChange={(event) => save.mutate({ singleKeys: event.currentTarget.checked })}
          />
        </li>
      </ul>
    </Section>
  )
}

/** Saves a part of the profile, and shows an error when that fails. */
function useSaveProfile() {
  const queries = useQueryClient()
  const showError = useErrorToast()
  return useMutation({
    mutationFn: (body: Partial<UserProfile>) => call(updateProfile, { body }),
    onSuccess: (profile) =>
      queries.setQueryData(meQuery.queryKey, (me: object | undefined) => me && { ...me, profile }),
    onError: showError,
  })
}
