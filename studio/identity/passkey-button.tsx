import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { IconFingerprint } from '../ui/icons.ts'
import { useAfterSignIn } from './after-sign-in.ts'
import classes from './identity.module.css'
import { usePasskeys } from './use-passkeys.ts'

/** Signs in with a passkey. Browsers that can also offer passkeys in the field for the address. */
export function PasskeyButton() {
  const { t } = useTranslation()
  const passkeys = usePasskeys()
  const afterSignIn = useAfterSignIn()
  const signIn = useMutation({
    mutationFn: (autoFill: boolean) => passkeys.signIn({ autoFill }),
    onSuccess: () => afterSignIn({ event: 'login', method: 'passkey' }),
  })
  const offered = useRef(false)
  useEffect(() => {
    if (!passkeys.here || offered.current) return
    offered.current = true
    // Nobody has asked for it, so that it fails is nobody's concern.
    void PublicKeyCredential.isConditionalMediationAvailable?.().then((can) => {
      if (can) signIn.mutate(true)
    })
  }, [passkeys.here, signIn.mutate])
  if (passkeys.isKnown && !passkeys.here) return null
  return (
    <div className={passkeys.isKnown ? undefined : classes.reserved}>
      <Button
        size="lg"
        fullWidth
        mt={8}
        loading={signIn.isPending && signIn.variables === false}
        leftSection={<IconFingerprint size={18} stroke={1.6} />}
        onClick={() => signIn.mutate(false)}
      >
        {t('identity.login.passkey')}
      </Button>
      {signIn.variables === false && <ErrorNotice error={signIn.error} />}
    </div>
  )
}
