import { Anchor } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { newestMailPath } from '../relays/outbox/mail-path.ts'
import { useUser } from '../shell/client.tsx'
import { useNewsletter } from '../shell/newsletter.tsx'
import { signInOptionsQuery } from '../shell/sign-in-options.ts'
import { useErrorToast } from '../ui/error-toast.tsx'
import { callAuth } from './auth.ts'
import { useAuthErrorText } from './use-auth-error-text.ts'

/** Mails the confirmation of the user's address once more, and says who reads it on a server from which no mail leaves. */
export function SendConfirmation() {
  const { t } = useTranslation()
  const user = useUser()
  const authErrorText = useAuthErrorText()
  const showError = useErrorToast()
  const { data: signIn } = useQuery(signInOptionsQuery)
  const again = useMutation({
    mutationFn: () =>
      callAuth('/send-verification-email', { email: user.email, callbackURL: '/verified' }, authErrorText),
    onSuccess: () => notifications.show({ message: t('identity.profile.sentAgain', { email: user.email }) }),
    onError: showError,
  })
  return (
    <>
      <Anchor component="button" type="button" fz="inherit" disabled={again.isPending} onClick={() => again.mutate()}>
        {t('identity.profile.sendAgain')}
      </Anchor>{' '}
      {signIn?.mailIsCaught && t('identity.profile.confirmationCaught')}
    </>
  )
}

/** Says that the user's address is yet to be confirmed, and leads to the mail that does. Nothing is drawn once it is. */
export function Unconfirmed() {
  const { t } = useTranslation()
  const user = useUser()
  const { may } = useNewsletter()
  const { data: signIn } = useQuery(signInOptionsQuery)
  if (user.anonymous || user.emailVerified) return null
  return (
    <small>
      {t(may('newsletter.write') ? 'identity.profile.toConfirm' : 'identity.profile.toConfirmAsMember', {
        email: user.email,
      })}{' '}
      {signIn?.mailIsCaught && may('outbox.read') ? (
        <Anchor component={Link} to={newestMailPath(t('identity.mail.verify.subject'))} fz="inherit">
          {t('identity.profile.readConfirmation')}
        </Anchor>
      ) : (
        <SendConfirmation />
      )}
    </small>
  )
}
