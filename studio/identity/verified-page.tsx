import { Anchor, Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router'
import { confirmAddress, showConfirmation } from '../../server/identity/contract.ts'
import { ApiError, call } from '../api.ts'
import { useClient } from '../shell/client.tsx'
import { returnPath } from '../shell/return-path.ts'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { QueryContent } from '../ui/query-content.tsx'
import { useServerForm } from '../ui/server-form.ts'
import { useAfterSignIn } from './after-sign-in.ts'
import { AuthFrame } from './auth-frame.tsx'
import { PasswordField } from './fields.tsx'
import classes from './identity.module.css'
import { invitationQuery } from './invitation-query.ts'

const INVITATION = '/invitation/'
const codeOf = (error: unknown) => (error instanceof ApiError ? error.code : null)

/** The page of the link in the verification mail. A button confirms the address; opening the link does not. */
export function VerifiedPage() {
  const { t } = useTranslation()
  const location = useLocation()
  const [query] = useSearchParams()
  const queries = useQueryClient()
  const { currentUser } = useClient()
  const token = query.get('token')
  const asked = useQuery({
    queryKey: ['confirmation', token],
    queryFn: () => call(showConfirmation, { body: { token: token ?? '' } }),
    enabled: token !== null,
    retry: false,
    refetchOnWindowFocus: false,
  })
  const confirm = useMutation({
    mutationFn: (more: { password?: string }) => call(confirmAddress, { body: { token: token ?? '', ...more } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['me'] }),
  })
  const isUsed = codeOf(confirm.error ?? asked.error) === 'link_used'
  // Who opens the link again has confirmed the address with it.
  const isConfirmed = confirm.isSuccess || (isUsed && currentUser?.emailVerified === true)
  const from = returnPath(location) ?? '/dashboard'
  const invitation = useQuery({
    ...invitationQuery(from.replace(INVITATION, '')),
    enabled: isConfirmed && from.startsWith(INVITATION),
  })
  if (isConfirmed) {
    // It may have been accepted before the address was confirmed.
    const isOver = codeOf(invitation.error) === 'invitation_not_found'
    const isInvited = from.startsWith(INVITATION) && !isOver
    const next = isOver ? '/dashboard' : from
    return (
      <AuthFrame
        title={t('identity.verified.title')}
        lead={
          !invitation.isLoading && t(`identity.verified.${isInvited ? 'leadInvited' : isOver ? 'leadMember' : 'lead'}`)
        }
      >
        {!invitation.isLoading && (
          <Button component={Link} to={next} variant="filled" color="encre" size="lg">
            {t(isInvited ? 'identity.verified.toInvitation' : 'identity.verified.go')}
          </Button>
        )}
      </AuthFrame>
    )
  }
  if (!token || isUsed)
    return (
      <AuthFrame title={t('identity.reset.oldTitle')} lead={t('identity.verified.failed')}>
        <Button component={Link} to="/profile" variant="filled" color="encre" size="lg">
          {t('identity.verified.toProfile')}
        </Button>
      </AuthFrame>
    )
  if (codeOf(confirm.error) === 'not_the_opener')
    return <WhoOpenedIt token={token} onPassword={(password) => confirm.mutateAsync({ password })} />
  return (
    <AuthFrame
      title={t('identity.verified.askTitle')}
      lead={asked.data && t('identity.verified.askLead', { email: asked.data.email })}
    >
      <QueryContent query={asked}>
        {() => (
          <>
            <Button
              variant="filled"
              color="encre"
              size="lg"
              fullWidth
              loading={confirm.isPending}
              onClick={() => confirm.mutate({})}
            >
              {t('identity.verified.submit')}
            </Button>
            <ErrorNotice error={confirm.error} />
          </>
        )}
      </QueryContent>
    </AuthFrame>
  )
}

/** In a browser that is not signed in: who knows the password has opened the account; who does not takes it back. */
function WhoOpenedIt({ token, onPassword }: { token: string; onPassword: (password: string) => Promise<unknown> }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const afterSignIn = useAfterSignIn()
  const { form, error, busy, submit } = useServerForm({ initialValues: { password: '' } }, ({ password }) =>
    onPassword(password),
  )
  const take = useMutation({
    mutationFn: () => call(confirmAddress, { body: { token, takeBack: true } }),
    onSuccess: () => afterSignIn({ event: 'login', method: 'magic-link' }),
    onError: (refusal) => codeOf(refusal) === 'link_used' && void navigate('/login'),
  })
  return (
    <AuthFrame
      title={t('identity.verified.whoTitle')}
      lead={t('identity.verified.whoLead')}
      foot={
        <Anchor component={Link} to="/login">
          {t('identity.forgot.back')}
        </Anchor>
      }
    >
      <form className={classes.form} onSubmit={submit} noValidate>
        <PasswordField {...form.getInputProps('password')} />
        <ErrorNotice error={error} />
        <Button type="submit" variant="filled" color="encre" size="lg" fullWidth loading={busy}>
          {t('identity.verified.submit')}
        </Button>
      </form>
      <div className={classes.or}>{t('identity.or')}</div>
      <p className={classes.hint}>{t('identity.verified.takeText')}</p>
      <Button size="lg" fullWidth loading={take.isPending} onClick={() => take.mutate()}>
        {t('identity.verified.take')}
      </Button>
      <ErrorNotice error={take.error} />
    </AuthFrame>
  )
}
