import { useQuery } from '@tanstack/react-query'
import { signInOptionsQuery } from '../shell/sign-in-options.ts'
import { addPasskey, signInWithPasskey } from './passkey-ceremony.ts'
import { useAuthErrorText } from './use-auth-error-text.ts'

/** Whether passkeys work in this browser at this address, and what can be done with them. */
export function usePasskeys() {
  const { data } = useQuery(signInOptionsQuery)
  const authErrorText = useAuthErrorText()
  const origin = data?.passkeyOrigin ?? null
  return {
    /** The one address at which this instance's passkeys work, or null where it has none. */
    origin,
    /** Whether the server has said what it offers. */
    isKnown: data !== undefined,
    /** Whether they would work here in another browser. */
    isElseBrowser: origin === location.origin && !('PublicKeyCredential' in globalThis),
    here: origin === location.origin && 'PublicKeyCredential' in globalThis,
    signIn: ({ autoFill = false } = {}) => signInWithPasskey(autoFill, authErrorText),
    add: (name: string) => addPasskey(name, authErrorText),
  }
}
