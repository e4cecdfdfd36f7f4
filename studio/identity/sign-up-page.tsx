import { Anchor, Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, Navigate, useLocation } from 'react-router'
import { createNewsletter } from '../../server/newsletters/contract.ts'
import { call } from '../api.ts'
import { currentLanguage } from '../language.ts'
import { useClient } from '../shell/client.tsx'
import { firstPage, keepProduct } from '../shell/flags.ts'
import { rememberNewsletter } from '../shell/newsletter.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { useServerForm } from '../ui/server-form.ts'
import { useAfterSignIn } from './after-sign-in.ts'
import { callAuth } from './auth.ts'
import { AuthFrame } from './auth-frame.tsx'
import { EmailField } from './fields.tsx'
import classes from './identity.module.css'
import { NewPasswordField } from './new-password-field.tsx'
import { SignInOptions } from './sign-in-options.tsx'
import { useAuthErrorText } from './use-auth-error-text.ts'

/** Creates an account, and its first newsletter if a name is given. A guest's account keeps everything made so far. */
export function SignUpPage() {
  const { t } = useTranslation()
  const { search } = useLocation()
  const { currentUser } = useClient()
  const signUp = useSignUp()
  const { form, error, busy, submit } = useServerForm(
    { initialValues: { name: '', email: '', password: '', newsletter: '' } },
    signUp.send,
  )
  if (currentUser && !currentUser.anonymous && !signUp.begun) return <Navigate to={firstPage(search)} replace />
  return (
    <AuthFrame
      title={t(currentUser ? 'identity.signUp.keepTitle' : 'identity.signUp.title')}
      lead={t(currentUser ? 'identity.signUp.keepLead' : 'identity.signUp.lead')}
      foot={
        <>
          {t('identity.signUp.already')}{' '}
          <Anchor component={Link} to={keepProduct('/login', search)}>
            {t('identity.signUp.signIn')}
          </Anchor>
        </>
      }
    >
      <form className={classes.form} onSubmit={submit} noValidate>
        <TextInput
          size="lg"
          label={t('identity.name')}
          autoComplete="name"
          required
          withAsterisk={false}
          {...form.getInputProps('name')}
        />
        <EmailField {...form.getInputProps('email')} />
        <NewPasswordField known={[form.getValues().email, form.getValues().name]} {...form.getInputProps('password')} />
        {!currentUser && (
          <TextInput
            size="lg"
            label={t('identity.firstNewsletter')}
            maxLength={120}
            {...form.getInputProps('newsletter')}
          />
        )}
        <ErrorNotice error={error} />
        <Button type="submit" variant="filled" color="encre" size="lg" fullWidth loading={busy}>
          {t('identity.signUp.submit')}
        </Button>
      </form>
      <SignInOptions tryFirst />
    </AuthFrame>
  )
}

interface Values extends Record<string, unknown> {
  name: string
  email: string
  password: string
  newsletter: string
}

function useSignUp() {
  const authErrorText = useAuthErrorText()
  const afterSignIn = useAfterSignIn()
  const { settings } = useClient()
  const [begun, setBegun] = useState(false)
  const send = async ({ name, email, password, newsletter }: Values) => {
    setBegun(true)
    await callAuth('/sign-up/email', { name, email, password, callbackURL: '/verified' }, authErrorText)
    if (newsletter.trim()) {
      const { currencyformat: currency, timezone } = settings
      const body = { name: newsletter.trim(), language: currentLanguage(), currency, timezone }
      // The account exists; when this fails, the next page asks for a newsletter again.
      await call(createNewsletter, { body }).then(
        ({ id }) => rememberNewsletter(id),
        () => undefined,
      )
    }
    await afterSignIn({ event: 'sign_up', method: 'email' })
  }
  return { send, begun }
}
