import { Button, Group } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { deleteMe } from '../../server/identity/contract.ts'
import { call } from '../api.ts'
import { useUser } from '../shell/client.tsx'
import { ConfirmDelete } from '../ui/confirm-delete.tsx'
import { Section } from '../ui/section.tsx'
import { auth, authResult } from './auth.ts'
import { useProof } from './proof.tsx'
import { useAuthErrorText } from './use-auth-error-text.ts'

/** Signing out, and deleting the account. */
export function SignOutSection() {
  const { t } = useTranslation()
  const user = useUser()
  const authErrorText = useAuthErrorText()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const withProof = useProof()
  const [asking, { open, close }] = useDisclosure(false)
  const forget = async () => {
    await navigate('/login')
    queries.clear()
    await queries.refetchQueries({ queryKey: ['me'] })
  }
  const signOut = async () => {
    await authResult(auth.signOut(), authErrorText)
    await forget()
  }
  return (
    <Section title={t('identity.profile.signOut')}>
      <Group gap="sm">
        <Button onClick={() => void signOut()}>{t('identity.profile.signOut')}</Button>
        <Button variant="subtle" color="rouge" onClick={open}>
          {t('identity.profile.leave')}…
        </Button>
      </Group>
      <ConfirmDelete
        opened={asking}
        onClose={close}
        title={t('identity.profile.leave')}
        confirm={t('identity.profile.leaveConfirm')}
        typed={user.anonymous ? undefined : user.email}
        onConfirm={async () => {
          await withProof(() => call(deleteMe, {}))
          await forget()
        }}
      >
        {t('identity.profile.leaveText')}
      </ConfirmDelete>
    </Section>
  )
}
