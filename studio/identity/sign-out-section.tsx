import { Anchor, Button, Group, List } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { deleteMe, showDeletion } from '../../server/identity/contract.ts'
import { call } from '../api.ts'
import {
  publicationsWithLocalCopy,
  readLocalCopies,
  removeLocalCopies,
} from '../publications/editor/saving/local-copy.ts'
import { useUser } from '../shell/client.tsx'
import { forgetNewsletter } from '../shell/newsletter.tsx'
import { ConfirmDelete } from '../ui/confirm-delete.tsx'
import { Section } from '../ui/section.tsx'
import { shownTitle } from '../ui/shown-title.ts'
import { callAuth } from './auth.ts'
import { useProof } from './proof.tsx'
import { useAuthErrorText } from './use-auth-error-text.ts'

/** Signing out, and deleting the account. */
export function SignOutSection() {
  const { t, i18n } = useTranslation()
  const user = useUser()
  const authErrorText = useAuthErrorText()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const withProof = useProof()
  const [asking, { open, close }] = useDisclosure(false)
  const [leaving, { open: askGuest, close: stay }] = useDisclosure(false)
  const [locked, { open: askUnproven, close: stayIn }] = useDisclosure(false)
  const deletion = useQuery({
    queryKey: ['deletion'],
    queryFn: () => call(showDeletion, {}),
    // A guest can give nothing to anybody, and reads that what is theirs is deleted first.
    enabled: asking && !user.anonymous,
    // Another owner may have been made, or gone, since it was last asked.
    gcTime: 0,
  })
  const owned = deletion.data?.soleOwnerOf ?? []
  const [unsaved, setUnsaved] = useState<string[]>([])
  /** What belongs to the person leaves this device. Its language, colours and currency are those of the device. */
  const forget = async () => {
    await navigate('/login')
    for (const publicationId of publicationsWithLocalCopy()) removeLocalCopies(publicationId)
    forgetNewsletter()
    queries.clear()
    await queries.refetchQueries({ queryKey: ['me'] })
    // A page that noticed first has led there too, and would be come back to.
    await navigate('/login', { replace: true })
  }
  const signOut = async () => {
    await callAuth('/sign-out', {}, authErrorText)
    await forget()
  }
  const keepAccount = user.anonymous && (
    <Button component={Link} to="/signup">
      {t('identity.profile.keepAccount')}
    </Button>
  )
  return (
    <Section title={t('identity.profile.signOut')}>
      <Group gap="sm">
        <Button
          onClick={() => {
            const publications = publicationsWithLocalCopy()
            if (user.anonymous) askGuest()
            else if (publications.length > 0) setUnsaved(publications)
            else if (!user.emailVerified) askUnproven()
            else void signOut()
          }}
        >
          {t('identity.profile.signOut')}
        </Button>
        <Button variant="subtle" color="rouge" onClick={open}>
          {t('identity.profile.leave')}…
        </Button>
      </Group>
      <ConfirmDelete
        opened={leaving}
        onClose={stay}
        title={t('identity.profile.guestLeaves')}
        confirm={t('identity.profile.guestLeavesConfirm')}
        keep={t('identity.profile.unsavedKeep')}
        instead={keepAccount}
        onConfirm={signOut}
      >
        {t('identity.profile.guestLeavesText')}
      </ConfirmDelete>
      <ConfirmDelete
        opened={locked}
        onClose={stayIn}
        title={t('identity.profile.unprovenLeaves')}
        confirm={t('identity.profile.guestLeavesConfirm')}
        keep={t('identity.profile.unsavedKeep')}
        onConfirm={signOut}
      >
        {t('identity.profile.unprovenLeavesText', { email: user.email })}
      </ConfirmDelete>
      <ConfirmDelete
        opened={unsaved.length > 0}
        onClose={() => setUnsaved([])}
        title={t('identity.profile.unsaved')}
        confirm={t('identity.profile.unsavedConfirm')}
        keep={t('identity.profile.unsavedKeep')}
        onConfirm={signOut}
      >
        {t('identity.profile.unsavedText')}
        <List size="sm" mt="sm">
          {unsaved.map((publicationId) => (
            <List.Item key={publicationId}>
              <Anchor component={Link} to={`/publish/create/${publicationId}`} fz="inherit">
                {shownTitle(readLocalCopies<{ title: string }>(publicationId)[0]?.draft.title, t)}
              </Anchor>
            </List.Item>
          ))}
        </List>
      </ConfirmDelete>
      <ConfirmDelete
        opened={asking}
        onClose={close}
        title={t('identity.profile.leave')}
        confirm={t('identity.profile.leaveConfirm')}
        instead={keepAccount}
        typed={user.anonymous || owned.length > 0 ? undefined : user.email}
        isPossible={owned.length === 0}
        onConfirm={async () => {
          await withProof(() => call(deleteMe, {}))
          await forget()
          notifications.show({ message: t('identity.profile.deleted'), autoClose: false })
        }}
      >
        {owned.length > 0
          ? t('identity.profile.leaveOwned', {
              count: owned.length,
              names: new Intl.ListFormat(i18n.language).format(owned.map((one) => one.name)),
            })
          : t(user.anonymous ? 'identity.profile.leaveGuestText' : 'identity.profile.leaveText')}
      </ConfirmDelete>
    </Section>
  )
}
