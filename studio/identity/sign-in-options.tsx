import { Button } from '@mantine/core'
import { IconBrandGithub, IconBrandGoogle, IconKey, IconPlayerPlay } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { useClient } from '../shell/client.tsx'
import { signInOptionsQuery } from '../shell/sign-in-options.ts'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { signInReturnUrl, useAfterSignIn } from './after-sign-in.ts'
import { auth, authResult } from './auth.ts'
import classes from './identity.module.css'
import { useAuthErrorText } from './use-auth-error-text.ts'

const icons = { google: IconBrandGoogle, github: IconBrandGithub }

/** Signing in by a provider this instance knows, or as a guest who keeps everything later. */
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
      <div className={classes.ways}>
        {providers.map((provider) => (
          <ProviderButton key={provider.id} {...provider} onError={setError} />
        ))}
        {offersGuest && <GuestButton onError={setError} />}
      </div>
      <ErrorNotice error={error} />
    </>
  )
}

interface Refused {
  onError: (error: unknown) => void
}

function ProviderButton({ id, name, onError }: { id: string; name: string } & Refused) {
  const { t } = useTranslation()
  const { search } = useLocation()
  const authErrorText = useAuthErrorText()
  const [leaving, setLeaving] = useState(false)
  const Icon = icons[id as keyof typeof icons] ?? IconKey
  const leave = async () => {
    setLeaving(true)
    const back = {
      callbackURL: signInReturnUrl({ event: 'login', method: id }, search),
      newUserCallbackURL: signInReturnUrl({ event: 'sign_up', method: id }, search),
      errorCallbackURL: '/login?refused=1',
    }
    await authResult(auth.signIn.social({ provider: id as 'google', ...back }), authErrorText).catch(
      (error: unknown) => {
        setLeaving(false)
        onError(error)
      },
    )
  }
  return (
    <Button
      size="lg"
      fullWidth
      loading={leaving}
      leftSection={<Icon size={18} stroke={1.6} />}
      onClick={() => void leave()}
    >
      {t('identity.continueWith', { name })}
    </Button>
  )
}

function GuestButton({ onError }: Refused) {
  const { t } = useTranslation()
  const afterSignIn = useAfterSignIn()
  const authErrorText = useAuthErrorText()
  const [busy, setBusy] = useState(false)
  const enter = async () => {
    setBusy(true)
    try {
      await authResult(auth.signIn.anonymous(), authErrorText)
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
      onClick={() => void enter()}
    >
      {t('identity.tryFirst')}
    </Button>
  )
}
