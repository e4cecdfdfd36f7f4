import { Anchor, Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { resetPassword, showReset } from '../../server/identity/contract.ts'
import { ApiError, call } from '../api.ts'
import { meQuery } from '../shell/client.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { QueryContent } from '../ui/query-content.tsx'
import { useServerForm } from '../ui/server-form.ts'
import { AuthFrame } from './auth-frame.tsx'
import { EmailField } from './fields.tsx'
import classes from './identity.module.css'
import { NewPasswordField } from './new-password-field.tsx'

/** Sets a new password, with the link from the mail. */
export function ResetPage() {
  const { t } = useTranslation()
  const [query] = useSearchParams()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const token = query.get('token')
  const asked = useQuery({
    queryKey: ['reset', token],
    queryFn: () => call(showReset, { body: { token: token ?? '' } }),
    enabled: token !== null,
    retry: false,
    refetchOnWindowFocus: false,
  })
  const { form, error, busy, submit } = useServerForm({ initialValues: { password: '' } }, async ({ password }) => {
    await call(resetPassword, { body: { password, token: token ?? '' } })
    notifications.show({ message: t('identity.reset.done') })
    // It may have been the account that is signed in here, whose sessions have ended.
    await queries.refetchQueries(meQuery)
    await navigate('/login')
  })
  const old = [error, asked.error].some((one) => one instanceof ApiError && one.code === 'link_used')
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
      <QueryContent query={asked}>
        {({ email }) => (
          <form className={classes.form} onSubmit={submit} noValidate>
            {/* Password managers keep the password with it. */}
            <EmailField value={email} readOnly />
            <NewPasswordField known={[email]} {...form.getInputProps('password')} />
            <ErrorNotice error={error} />
            <Button type="submit" variant="filled" color="encre" size="lg" fullWidth loading={busy}>
              {t('identity.reset.submit')}
            </Button>
          </form>
        )}
      </QueryContent>
    </AuthFrame>
  )
}
