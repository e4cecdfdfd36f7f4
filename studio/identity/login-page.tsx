import { Anchor, Button, Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, Navigate, useLocation, useSearchParams } from 'react-router'
import { ApiError } from '../api.ts'
import { useClient } from '../shell/client.tsx'
import { firstPage, keepProduct } from '../shell/flags.ts'
import { returnPath } from '../shell/return-path.ts'
import { signInOptionsQuery } from '../shell/sign-in-options.ts'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { faultsOf } from '../ui/faults.ts'
import { IconMail } from '../ui/icons.ts'
import { useServerForm } from '../ui/server-form.ts'
import { signInReturnUrl, useAfterSignIn } from './after-sign-in.ts'
import { callAuth } from './auth.ts'
import { AuthFrame } from './auth-frame.tsx'
import { CodeStep } from './code-step.tsx'
import { EmailField, PasswordField } from './fields.tsx'
import classes from './identity.module.css'
import { PasskeyButton } from './passkey-button.tsx'
import { SignInOptions } from './sign-in-options.tsx'
import { useAuthErrorText } from './use-auth-error-text.ts'

/** Signing in with a password, a mailed link or a provider. */
export function LoginPage() {
  const { t } = useTranslation()
  const location = useLocation()
  const { search, state } = location
  const [query] = useSearchParams()
  const { currentUser, awaitsCode } = useClient()
  const afterSignIn = useAfterSignIn()
  const authErrorText = useAuthErrorText()
  const { form, error, busy, submit } = useServerForm(
    { initialValues: { email: '', password: '', rememberMe: true } },
    async (values) => {
      await callAuth('/sign-in/email', values, authErrorText)
      await afterSignIn({ event: 'login', method: 'email' })
    },
  )
  // Also for a moment after signing in, while the next page loads: it leads to the same place.
  if (currentUser && !currentUser.anonymous && !busy)
    return <Navigate to={returnPath(location) ?? firstPage(search)} replace />
  if (awaitsCode) return <CodeStep />
  const refused = query.has('refused') || query.has('error')
  return (
    <AuthFrame
      title={t('identity.login.title')}
      lead={t('identity.login.lead')}
      foot={
        <>
          {t('identity.login.noAccount')}{' '}
          <Anchor component={Link} to={keepProduct('/signup', search)} state={state}>
            {t('identity.login.signUp')}
          </Anchor>
        </>
      }
    >
      {refused && <ErrorNotice error={new ApiError('refused', t('identity.login.refused'))} />}
      <form className={classes.form} onSubmit={submit} noValidate>
        <EmailField autoComplete="username webauthn" {...form.getInputProps('email')} />
        <PasswordField {...form.getInputProps('password')} />
        <div className={classes.between}>
          <Checkbox label={t('identity.login.remember')} {...form.getInputProps('rememberMe', { type: 'checkbox' })} />
          <Anchor component={Link} to="/forgot">
            {t('identity.login.forgot')}
          </Anchor>
        </div>
        <ErrorNotice error={error} />
        <Button type="submit" variant="filled" color="encre" size="lg" fullWidth loading={busy}>
          {t('identity.login.submit')}
        </Button>
      </form>
      <LinkByMail
        email={form.getValues().email}
        mark={(sentence) => {
          form.setFieldError('email', sentence)
          form.getInputNode('email')?.focus()
        }}
      />
      <PasskeyButton />
      <SignInOptions />
    </AuthFrame>
  )
}

/** Mails a sign-in link to the address typed above. Known and unknown addresses get the same answer. */
function LinkByMail({ email, mark }: { email: string; mark: (sentence: string) => void }) {
  const { t } = useTranslation()
  const location = useLocation()
  const authErrorText = useAuthErrorText()
  const { data } = useQuery(signInOptionsQuery)
  const [state, setState] = useState<'idle' | 'busy' | 'asked'>('idle')
  const [error, setError] = useState<unknown>(null)
  if (data && !data.magicLink) return null
  if (state === 'asked')
    return (
      <p className={classes.note} role="status" style={{ marginTop: 16 }}>
        <b>{t(data?.mailIsCaught ? 'identity.caught.title' : 'identity.login.linkSent')}</b>
        {t(data?.mailIsCaught ? 'identity.caught.text' : 'identity.login.linkSentText', { email })}
      </p>
    )
  const ask = async () => {
    if (!/.+@.+/.test(email)) return mark(t('identity.login.linkNeedsEmail'))
    setState('busy')
    setError(null)
    const callbackURL = signInReturnUrl({ event: 'login', method: 'magic-link' }, location)
    await callAuth('/sign-in/magic-link', { email, callbackURL }, authErrorText).then(
      () => setState('asked'),
      (refusal: unknown) => {
        setState('idle')
        const ofEmail = faultsOf(refusal).email
        if (ofEmail) mark(ofEmail)
        else setError(refusal)
      },
    )
  }
  return (
    <div className={data ? undefined : classes.reserved}>
      <div className={classes.or}>{t('identity.or')}</div>
      <Button
        size="lg"
        fullWidth
        loading={state === 'busy'}
        leftSection={<IconMail size={18} stroke={1.6} />}
        onClick={() => void ask()}
      >
        {t('identity.login.link')}
      </Button>
      <ErrorNotice error={error} />
    </div>
  )
}
