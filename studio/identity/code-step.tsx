import { Anchor, Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { giveCode } from '../../server/identity/contract.ts'
import { ApiError, call } from '../api.ts'
import { meQuery } from '../shell/client.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { useFirstField } from '../ui/first-field.ts'
import { useServerForm } from '../ui/server-form.ts'
import { useAfterSignIn } from './after-sign-in.ts'
import { callAuth } from './auth.ts'
import { AuthFrame } from './auth-frame.tsx'
import { CodeField } from './fields.tsx'
import classes from './identity.module.css'
import { useAuthErrorText } from './use-auth-error-text.ts'

/** The second step of signing in: a code of the authenticator app, or a recovery code. */
export function CodeStep() {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const afterSignIn = useAfterSignIn()
  const authErrorText = useAuthErrorText()
  const step = useFirstField()
  const { form, error, busy, submit } = useServerForm({ initialValues: { code: '' } }, async ({ code }) => {
    await call(giveCode, { body: { code } }).catch(async (refusal: unknown) => {
      // Ten minutes are over, and signing in begins again.
      if (refusal instanceof ApiError && refusal.code === 'unauthenticated') await queries.refetchQueries(meQuery)
      throw refusal
    })
    await afterSignIn({ event: 'login', method: 'two-factor' })
  })
  const startAgain = async () => {
    await callAuth('/sign-out', {}, authErrorText).catch(() => undefined)
    await queries.refetchQueries(meQuery)
  }
  return (
    <AuthFrame
      title={t('identity.code.title')}
      lead={t('identity.code.lead')}
      foot={
        <Anchor component="button" type="button" fz="inherit" onClick={() => void startAgain()}>
          {t('identity.code.startAgain')}
        </Anchor>
      }
    >
      <form ref={step} className={classes.form} onSubmit={submit} noValidate>
        <CodeField description={t('identity.code.orRecovery')} {...form.getInputProps('code')} />
        <ErrorNotice error={error} />
        <Button type="submit" variant="filled" color="encre" size="lg" fullWidth loading={busy}>
          {t('identity.code.submit')}
        </Button>
      </form>
    </AuthFrame>
  )
}
