import { Anchor, Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, Navigate, useLocation } from 'react-router'
import { createNewsletter, updateNewsletter } from '../../server/newsletters/contract.ts'
import { call } from '../api.ts'
import { firstSettings } from '../newsletters/first-settings.ts'
import { useClient } from '../shell/client.tsx'
import { firstPage, keepProduct } from '../shell/flags.ts'
import { newslettersQuery, rememberNewsletter } from '../shell/newsletter.tsx'
import { invitationIn, returnPath } from '../shell/return-path.ts'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { useServerForm } from '../ui/server-form.ts'
import { useAfterSignIn } from './after-sign-in.ts'
import { callAuth } from './auth.ts'
import { AuthFrame } from './auth-frame.tsx'
import { EmailField } from './fields.tsx'
import classes from './identity.module.css'
import { invitationQuery } from './invitation-query.ts'
import { NewPasswordField } from './new-password-field.tsx'
import { SignInOptions } from './sign-in-options.tsx'
import { useAuthErrorText } from './use-auth-error-text.ts'

/**
 * Creates an account, and its first newsletter if a name is given. A guest's account keeps everything made so far; the
 * name is then the one that the guest's newsletter gets.
 */
export function SignUpPage() {
  const { t } = useTranslation()
  const { search, state } = useLocation()
  const { currentUser } = useClient()
  const signUp = useSignUp()
  const invitation = useInvitation()
  const { form, error, busy, submit } = useServerForm(
    { initialValues: { name: '', email: invitation?.email ?? '', password: '', newsletter: '' } },
    signUp.send,
  )
  if (currentUser && !currentUser.anonymous && !signUp.begun) return <Navigate to={firstPage(search)} replace />
  return (
    <AuthFrame
      title={t(currentUser ? 'identity.signUp.keepTitle' : 'identity.signUp.title')}
      lead={
        invitation
          ? t('identity.signUp.invitedLead', { newsletter: invitation.newsletterName, email: invitation.email })
          : t(currentUser ? 'identity.signUp.keepLead' : 'identity.signUp.lead')
      }
      foot={
        <>
          {t('identity.signUp.already')}{' '}
          <Anchor component={Link} to={keepProduct('/login', search)} state={state}>
            {t('identity.signUp.signIn')}
          </Anchor>
        </>
      }
    >
      <form className={classes.form} onSubmit={submit} noValidate>
        <TextInput size="lg" label={t('identity.name')} autoComplete="name" required {...form.getInputProps('name')} />
        <EmailField {...form.getInputProps('email')} />
        <NewPasswordField known={[form.getValues().email, form.getValues().name]} {...form.getInputProps('password')} />
        {!invitation && (
          <TextInput
            size="lg"
            label={t(currentUser ? 'identity.signUp.keepName' : 'identity.firstNewsletter')}
            description={signUp.kept && t('identity.signUp.keepNameHint', { name: signUp.kept.name })}
            maxLength={120}
            {...form.getInputProps('newsletter')}
          />
        )}
        <ErrorNotice error={error} />
        <Button type="submit" variant="filled" color="encre" size="lg" fullWidth loading={busy}>
          {t('identity.signUp.submit')}
        </Button>
      </form>
      <SignInOptions tryFirst={!invitation} />
    </AuthFrame>
  )
}

/** The invitation that led here, which is returned to. Whoever follows it comes for somebody else's newsletter. */
function useInvitation() {
  const location = useLocation()
  const token = invitationIn(returnPath(location))
  return useQuery({ ...invitationQuery(token ?? ''), enabled: token !== undefined }).data
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
  const { settings, currentUser } = useClient()
  const from = returnPath(useLocation())
  const [begun, setBegun] = useState(false)
  const newsletters = useQuery({ ...newslettersQuery, enabled: currentUser?.anonymous === true })
  const kept = newsletters.data?.[0]
  const send = async ({ name, email, password, newsletter }: Values) => {
    setBegun(true)
    // An invitation is accepted with an address that is confirmed, so that mail leads back to it.
    const callbackURL = `/verified${from && invitationIn(from) ? `?${new URLSearchParams({ from })}` : ''}`
    await callAuth('/sign-up/email', { name, email, password, callbackURL }, authErrorText)
    const named = newsletter.trim()
    // The account exists now. When the name is refused, the newsletter keeps its own, or the next page asks for one.
    if (named) await (kept ? rename(kept.id, named) : begin(named)).catch(() => undefined)
    await afterSignIn({ event: 'sign_up', method: 'email' })
  }
  const rename = (newsletterId: string, name: string) =>
    call(updateNewsletter, { params: { newsletterId }, body: { name } })
  const begin = async (name: string) => {
    const { id } = await call(createNewsletter, { body: { name, ...firstSettings(settings) } })
    rememberNewsletter(id)
  }
  return { send, begun, kept }
}
