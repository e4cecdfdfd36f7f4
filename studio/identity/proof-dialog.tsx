import { Button, Group, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { getProofMethods, giveProof, mailProof } from '../../server/identity/contract.ts'
import { call } from '../api.ts'
import { useUser } from '../shell/client.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { QueryContent } from '../ui/query-content.tsx'
import { useServerForm } from '../ui/server-form.ts'
import { CodeField, PasswordField } from './fields.tsx'
import classes from './identity.module.css'
import { usePasskeys } from './use-passkeys.ts'

type Method = 'code' | 'password' | 'mail'

/** Asks for what a user can prove with. `onDone` gets whether they did. */
export function ProofDialog({ onDone }: { onDone: (proven: boolean) => void }) {
  const { t } = useTranslation()
  const methods = useQuery({
    queryKey: ['proof-methods'],
    queryFn: async () => (await call(getProofMethods, {})).methods,
    staleTime: 0,
  })
  const passkeys = usePasskeys()
  return (
    <Dialog opened onClose={() => onDone(false)} title={t('identity.proof.title')}>
      <Text size="sm" c="var(--tirage-ink2)" mb="md">
        {t('identity.proof.text')}
      </Text>
      <QueryContent query={methods}>
        {(list) => (
          <>
            {list.includes('passkey') && passkeys.here && <PasskeyProof onDone={onDone} />}
            {list.map((method) => method !== 'passkey' && <TypedProof key={method} method={method} onDone={onDone} />)}
          </>
        )}
      </QueryContent>
    </Dialog>
  )
}

interface Props {
  onDone: (proven: boolean) => void
}

/** Signing in with the passkey again is the proof. */
function PasskeyProof({ onDone }: Props) {
  const { t } = useTranslation()
  const { signIn } = usePasskeys()
  const prove = useMutation({ mutationFn: () => signIn(), onSuccess: () => onDone(true) })
  return (
    <>
      <Button fullWidth loading={prove.isPending} onClick={() => prove.mutate()}>
        {t('identity.proof.passkey')}
      </Button>
      <ErrorNotice error={prove.error} />
      <div className={classes.or}>{t('identity.or')}</div>
    </>
  )
}

function TypedProof({ method, onDone }: Props & { method: Method }) {
  const { t } = useTranslation()
  const user = useUser()
  const ask = useMutation({ mutationFn: () => call(mailProof, {}) })
  const { form, error, busy, submit } = useServerForm({ initialValues: { secret: '' } }, async ({ secret }) => {
    await call(giveProof, { body: { method, secret } })
    onDone(true)
  })
  if (method === 'mail' && !ask.isSuccess)
    return (
      <>
        <Button fullWidth loading={ask.isPending} onClick={() => ask.mutate()} data-autofocus>
          {t('identity.proof.mail', { email: user.email })}
        </Button>
        <ErrorNotice error={ask.error} />
      </>
    )
  const field = form.getInputProps('secret')
  return (
    <form onSubmit={submit} noValidate className={classes.proof}>
      {/* Password managers find the account by it. */}
      <input type="email" autoComplete="username" value={user.email} readOnly hidden />
      {method === 'password' ? (
        <PasswordField size="sm" data-autofocus {...field} />
      ) : (
        <CodeField
          size="sm"
          label={t(method === 'mail' ? 'identity.proof.mailedCode' : 'identity.code.label')}
          description={method === 'mail' ? t('identity.proof.mailed', { email: user.email }) : undefined}
          data-autofocus
          {...field}
        />
      )}
      <ErrorNotice error={error} />
      <Group justify="flex-end" gap="sm">
        <Button onClick={() => onDone(false)}>{t('identity.proof.cancel')}</Button>
        <Button type="submit" variant="filled" color="encre" loading={busy}>
          {t('identity.proof.submit')}
        </Button>
      </Group>
    </form>
  )
}
