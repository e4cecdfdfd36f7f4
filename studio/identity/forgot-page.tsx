import { Anchor, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { signInOptionsQuery } from '../shell/sign-in-options.ts'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { useServerForm } from '../ui/server-form.ts'
import { callAuth } from './auth.ts'
import { AuthFrame } from './auth-frame.tsx'
import { EmailField } from './fields.tsx'
import classes from './identity.module.css'
import { useAuthErrorText } from './use-auth-error-text.ts'

/** Asks for a link to set a new password. Known and unknown addresses get the same answer. */
export function ForgotPage() {
  const { t } = useTranslation()
  const authErrorText = useAuthErrorText()
  const { data } = useQuery(signInOptionsQuery)
  const [askedFor, setAskedFor] = useState<string | null>(null)
  const { form, error, busy, submit } = useServerForm({ initialValues: { email: '' } }, async ({ email }) => {
    await callAuth('/request-password-reset', { email, redirectTo: '/reset' }, authErrorText)
    setAskedFor(email)
  })
  return (
    <AuthFrame
      title={t('identity.forgot.title')}
      lead={t('identity.forgot.lead')}
      foot={
        <Anchor component={Link} to="/login">
          {t('identity.forgot.back')}
        </Anchor>
      }
    >
      {askedFor ? (
        <p className={classes.note} role="status">
          <b>{t(data?.mailIsCaught ? 'identity.caught.title' : 'identity.login.linkSent')}</b>
          {t(data?.mailIsCaught ? 'identity.caught.text' : 'identity.forgot.sent', { email: askedFor })}
        </p>
      ) : (
        <form className={classes.form} onSubmit={submit} noValidate>
          <EmailField {...form.getInputProps('email')} />
          <ErrorNotice error={error} />
          <Button type="submit" variant="filled" color="encre" size="lg" fullWidth loading={busy}>
            {t('identity.forgot.submit')}
          </Button>
        </form>
      )}
    </AuthFrame>
  )
}
