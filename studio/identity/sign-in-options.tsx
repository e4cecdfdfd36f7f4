import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { withSentences } from '../language.ts'
import { useClient } from '../shell/client.tsx'
import { returnPath } from '../shell/return-path.ts'
import { signInOptionsQuery } from '../shell/sign-in-options.ts'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { type Icon, IconBrandGithub, IconBrandGoogle, IconKey, IconPlayerPlay } from '../ui/icons.ts'
import { signInReturnUrl, useAfterSignIn } from './after-sign-in.ts'
import { callAuth } from './auth.ts'
import classes from './identity.module.css'
import { useAuthErrorText } from './use-auth-error-text.ts'

const icons: Record<string, Icon> = { google: IconBrandGoogle, github: IconBrandGithub }

/** Buttons to sign in with a configured provider, or as a guest, who can keep everything later. */
export function SignInOptions({ tryFirst = false }: { tryFirst?: boolean }) {
  const { t } = useTranslation()
  const { auth: signedIn } = useClient()
  const { data } = useQuery(signInOptionsQuery)
  const [error, setError] = useState<unknown>(null)
  const providers = data?.providers ?? []
  const offersGuest = tryFirst && signedIn !== true
  if (providers.length === 0 && !offersGuest) return null
  return (
    <>
      <div className={classes.or}>{t('identity.or')}</div>
      <div className={classes.options}>
        {providers.map((provider) => (
          <ProviderButton key={provider.id} {...provider} onError={setError} />
        ))}
        {offersGuest && <GuestButton onError={setError} />}
      </div>
      <ErrorNotice error={error} />
    </>
  )
}

interface WithErrors {
  onError: (error: unknown) => void
}

function ProviderButton({ id, name, onError }: { id: string; name: string } & WithErrors) {
  const { t } = useTranslation()
  const location = useLocation()
  const authErrorText = useAuthErrorText()
  const [redirecting, setRedirecting] = useState(false)
  const Icon = icons[id] ?? IconKey
  const signIn = async () => {
    setRedirecting(true)
    const from = returnPath(location)
    const back = {
      callbackURL: signInReturnUrl({ event: 'login', method: id }, location),
      newUserCallbackURL: signInReturnUrl({ event: 'sign_up', method: id }, location),
      errorCallbackURL: `/login?${new URLSearchParams({ refused: '1', ...(from && { from }) })}`,
    }
    try {
      const { url } = await callAuth('/sign-in/social', { provider: id, ...back }, authErrorText)
      if (url) window.location.assign(url)
    } catch (error) {
      setRedirecting(false)
      onError(error)
    }
  }
  return (
    <Button
      size="lg"
      fullWidth
      loading={redirecting}
      leftSection={<Icon size={18} stroke={1.6} />}
      onClick={() => void signIn()}
    >
      {t('identity.continueWith', { name })}
    </Button>
  )
}

function GuestButton({ onError }: WithErrors) {
  const { t } = useTranslation()
  const afterSignIn = useAfterSignIn()
  const authErrorText = useAuthErrorText()
  const [busy, setBusy] = useState(false)
  const signIn = async () => {
    setBusy(true)
    try {
      // Loaded together with the guest, because most who see this page have no need of it.
      const [createGuestNewsletter] = await Promise.all([
        withSentences(() => import('./guest-newsletter.ts'), 'createGuestNewsletter'),
        callAuth('/sign-in/anonymous', {}, authErrorText),
      ])
      // Without one, the page that asks for its name says why there is none.
      await createGuestNewsletter(t).catch(() => undefined)
      await afterSignIn({ event: 'sign_up', method: 'anonymous' })
    } catch (error) {
      onError(error)
    }
    setBusy(false)
  }
  return (
    <Button
      size="lg"
      fullWidth
      loading={busy}
      leftSection={<IconPlayerPlay size={18} stroke={1.6} />}
      onClick={() => void signIn()}
    >
      {t('identity.tryFirst')}
    </Button>
  )
}
