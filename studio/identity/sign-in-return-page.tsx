import { Anchor, Button, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router'
import { signInByLink } from '../../server/identity/contract.ts'
import { ApiError, call } from '../api.ts'
import { PageLoading } from '../shell/guard.tsx'
import { returnPath } from '../shell/return-path.ts'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { useAfterSignIn } from './after-sign-in.ts'
import { AuthFrame } from './auth-frame.tsx'

/** The page that providers redirect back to, and that the sign-in link in a mail opens. */
export function SignInReturnPage() {
  const [query] = useSearchParams()
  const token = query.get('token')
  return token === null ? <FromProvider query={query} /> : <FromMail token={token} />
}

/** Tracks the sign-in and goes on to the first page. */
function FromProvider({ query }: { query: URLSearchParams }) {
  const afterSignIn = useAfterSignIn()
  const done = useRef(false)
  const event = query.get('event') === 'sign_up' ? 'sign_up' : 'login'
  const method = query.get('method') ?? 'email'
  useEffect(() => {
    if (done.current) return
    done.current = true
    void afterSignIn({ event, method })
  }, [afterSignIn, event, method])
  return <PageLoading />
}

/** A button signs in. Opening the link must not use it up, since mail scanners open every link. */
function FromMail({ token }: { token: string }) {
  const { t } = useTranslation()
  const location = useLocation()
  const afterSignIn = useAfterSignIn()
  const navigate = useNavigate()
  const signIn = useMutation({
    mutationFn: () => call(signInByLink, { body: { token } }),
    onSuccess: async ({ event, passwordRemoved }) => {
      if (!passwordRemoved) await afterSignIn({ event, method: 'magic-link' })
    },
  })
  if (signIn.data?.passwordRemoved)
    return (
      <AuthFrame title={t('identity.arrived.removedTitle')} lead={t('identity.arrived.removed')}>
        <Stack gap="sm">
          <Button variant="filled" color="encre" size="lg" fullWidth onClick={() => void navigate('/forgot')}>
            {t('identity.arrived.choose')}
          </Button>
          <Button size="lg" fullWidth onClick={() => void afterSignIn({ event: 'login', method: 'magic-link' })}>
            {t('identity.arrived.goOn')}
          </Button>
        </Stack>
      </AuthFrame>
    )
  if (signIn.error instanceof ApiError && signIn.error.code === 'link_used')
    return (
      <AuthFrame title={t('identity.arrived.oldTitle')} lead={t('identity.auth.linkOld')}>
        <Anchor component={Link} to="/login" state={{ from: returnPath(location) }}>
          {t('identity.arrived.askAgain')}
        </Anchor>
      </AuthFrame>
    )
  return (
    <AuthFrame title={t('identity.arrived.title')} lead={t('identity.arrived.lead')}>
      <Button
        variant="filled"
        color="encre"
        size="lg"
        fullWidth
        loading={signIn.isPending || signIn.isSuccess}
        onClick={() => signIn.mutate()}
      >
        {t('identity.arrived.submit')}
      </Button>
      <ErrorNotice error={signIn.error} />
    </AuthFrame>
  )
}
