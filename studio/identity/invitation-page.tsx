import { Anchor, Button, Group } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useNavigate, useParams } from 'react-router'
import { acceptInvitation } from '../../server/newsletters/contract.ts'
import { ApiError, call } from '../api.ts'
import { useClient } from '../shell/client.tsx'
import { forgetNewsletter, newslettersQuery, rememberNewsletter } from '../shell/newsletter.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { QueryContent } from '../ui/query-content.tsx'
import { callAuth } from './auth.ts'
import { AuthFrame } from './auth-frame.tsx'
import classes from './identity.module.css'
import { invitationQuery } from './invitation-query.ts'
import { useAuthErrorText } from './use-auth-error-text.ts'

/** An invitation to join the members of a newsletter, and the button that accepts it. */
export function InvitationPage() {
  const { t } = useTranslation()
  const { token = '' } = useParams()
  const { currentUser } = useClient()
  const invitation = useQuery(invitationQuery(token))
  const { data, error } = invitation
  if (error instanceof ApiError && error.code === 'invitation_not_found') {
    const isSignedIn = currentUser !== null && !currentUser.anonymous
    return (
      <AuthFrame
        title={t('identity.invitation.goneTitle')}
        lead={t(isSignedIn ? 'identity.invitation.goneSignedIn' : 'identity.invitation.gone')}
      >
        <Anchor component={Link} to={isSignedIn ? '/dashboard' : '/login'}>
          {t(isSignedIn ? 'identity.verified.go' : 'identity.forgot.back')}
        </Anchor>
      </AuthFrame>
    )
  }
  return (
    <AuthFrame
      title={
        data ? t('identity.invitation.title', { newsletter: data.newsletterName }) : t('identity.invitation.loading')
      }
      lead={data && t('identity.invitation.lead', { email: data.email, role: t(`ui.role.${data.role}`) })}
    >
      <QueryContent query={invitation}>{({ email }) => <Accept token={token} invited={email} />}</QueryContent>
    </AuthFrame>
  )
}

function Accept({ token, invited }: { token: string; invited: string }) {
  const { t } = useTranslation()
  const { currentUser } = useClient()
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const accept = useMutation({
    mutationFn: () => call(acceptInvitation, { params: { token } }),
    onSuccess: async ({ newsletterId }) => {
      rememberNewsletter(newsletterId)
      await queries.invalidateQueries(newslettersQuery)
      return navigate('/dashboard')
    },
  })
  if (!currentUser || currentUser.anonymous)
    return (
      <Group gap="sm">
        <Button component={Link} to="/login" state={{ from: pathname }} variant="filled" color="encre" size="lg">
          {t('identity.invitation.signIn')}
        </Button>
        <Anchor component={Link} to="/signup" state={{ from: pathname }}>
          {t('identity.invitation.signUp')}
        </Anchor>
      </Group>
    )
  if (currentUser.email.toLowerCase() !== invited.toLowerCase())
    return <SignedInAsAnother invited={invited} email={currentUser.email} />
  return (
    <>
      <Button variant="filled" color="encre" size="lg" loading={accept.isPending} onClick={() => accept.mutate()}>
        {t('identity.invitation.accept', { name: currentUser.displayName || currentUser.email })}
      </Button>
      <ErrorNotice error={accept.error} />
    </>
  )
}

/** Only the account of the address that was invited can accept. */
function SignedInAsAnother({ invited, email }: { invited: string; email: string }) {
  const { t } = useTranslation()
  const authErrorText = useAuthErrorText()
  const signOut = useMutation({
    mutationFn: () => callAuth('/sign-out', {}, authErrorText),
    onSuccess: () => {
      forgetNewsletter()
      // What was loaded for the other person is gone with the page, and the invitation is asked for anew.
      location.reload()
    },
  })
  return (
    <>
      <p className={classes.hint}>{t('identity.invitation.another', { email, invited })}</p>
      <Button variant="filled" color="encre" size="lg" loading={signOut.isPending} onClick={() => signOut.mutate()}>
        {t('identity.profile.signOut')}
      </Button>
      <ErrorNotice error={signOut.error} />
    </>
  )
}
