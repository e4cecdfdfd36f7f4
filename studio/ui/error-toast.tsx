import { notifications } from '@mantine/notifications'
import { isSignedOut, SignInAgain, useErrorText } from './error-notice.tsx'

/** Time to read it and to sign in, in milliseconds. */
const SIGN_IN_MS = 30_000

/**
 * For what is pressed where no place is kept for an error: shows it in a notice, once while it stands there. Whoever is signed out
 * signs in from it.
 */
export function useErrorToast(): (error: unknown) => void {
  const errorText = useErrorText()
  return (error) => {
    const text = errorText(error)
    const hide = () => notifications.hide(text)
    // Said anew each time.
    hide()
    notifications.show({
      id: text,
      color: 'rouge',
      role: 'alert',
      message: text,
      ...(isSignedOut(error) && {
        autoClose: SIGN_IN_MS,
        title: text,
        message: <SignInAgain mt="xs" goOn={hide} />,
      }),
    })
  }
}
