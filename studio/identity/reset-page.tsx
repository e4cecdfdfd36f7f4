import { Anchor, Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { resetPassword } from '../../server/identity/contract.ts'
import { ApiError, call } from '../api.ts'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { useServerForm } from '../ui/server-form.ts'
import { AuthFrame } from './auth-frame.tsx'
import classes from './identity.module.css'
import { NewPasswordField } from './new-password-field.tsx'

/** Sets a new password, with the link from the mail. */
export function ResetPage() {
  const { t } = useTranslation()
  const [query] = useSearchParams()
  const navigate = useNavigate()
  const token = query.get('token')
  const { form, error, busy, submit } = useServerForm({ initialValues: { password: '' } }, async ({ password }) => {
    await call(resetPassword, { body: { password, token: token ?? '' } })
    notifications.show({ message: t('identity.reset.done') })
    await navigate('/login')
  })
  const old = error instanceof ApiError && error.code === 'link_used'
  if (!token || query.has('error') || old)
    return (
      <AuthFrame title={t('identity.reset.oldTitle')} lead={t('identity.auth.linkOld')}>
        <Anchor component={Link} to="/forgot">
          {t('identity.reset.askAgain')}
        </Anchor>
      </AuthFrame>
    )
  return (
    <AuthFrame title={t('identity.reset.title')} lead={t('identity.reset.lead')}>
      <form className={classes.form} onSubmit={submit} noValidate>
        <NewPasswordField {...form.getInputProps('password')} />
        <ErrorNotice error={error} />
        <Button type="submit" variant="filled" color="encre" size="lg" fullWidth loading={busy}>
          {t('identity.reset.submit')}
        </Button>
      </form>
    </AuthFrame>
  )
}
