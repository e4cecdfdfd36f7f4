import { Button, Modal, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { sendTest } from '../../../server/publications/contract.ts'
import { gatesOf } from '../../../server/publications/document/visible.ts'
import { call } from '../../api.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { signInOptionsQuery } from '../../shell/sign-in-options.ts'
import { useErrorText } from '../../ui/error-notice.tsx'
import { IconSend } from '../../ui/icons.ts'
import { NoticeLink } from '../../ui/notice-link.tsx'
import type { Publication } from '../queries.ts'
import type { Draft } from './draft.ts'
import { HeaderAction } from './header-action.tsx'
import { readerOf, useReaderChoices } from './readers.ts'

interface Props {
  publication: Publication
  draft: Draft
  save: () => Promise<void>
  isSaved: () => boolean
}

/** Sends the saved version to the signed-in member, and shows where it went. Where readers see different parts, it asks first whose mail it is to be. */
export function TestMailButton({ publication, draft, save, isSaved }: Props) {
  const { t } = useTranslation()
  const newsletter = useNewsletter()
  const errorText = useErrorText()
  const navigate = useNavigate()
  const { data: options } = useQuery(signInOptionsQuery)
  const readers = useReaderChoices()
  const [asking, ask] = useState(false)
  const [busy, setBusy] = useState(false)
  const send = async (reader: string) => {
    ask(false)
    setBusy(true)
    try {
      await save()
      if (!isSaved()) return
      const { to } = await call(sendTest, {
        params: { newsletterId: newsletter.id, publicationId: publication.id },
        body: { reader: readerOf(reader) },
      })
      const notice = `test-${publication.id}`
      notifications.hide(notice)
      notifications.show({
        id: notice,
        title: t('publish.test.sent', { to: to.join(', ') }),
        message: options?.mailIsCaught ? (
          <NoticeLink notice={notice} to="/outbox" navigate={navigate}>
            {t('publish.test.caught')}
          </NoticeLink>
        ) : (
          t('publish.test.look')
        ),
      })
    } catch (error) {
      notifications.show({ message: errorText(error), color: 'rouge', role: 'alert' })
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <HeaderAction
        label={t('publish.test.send')}
        icon={<IconSend size={15} stroke={1.6} />}
        onClick={() => (gatesOf(draft.content).length > 0 ? ask(true) : void send('paid'))}
        loading={busy}
      />
      <Modal opened={asking} onClose={() => ask(false)} title={t('publish.test.send')} size="sm">
        <Text size="sm" mb="sm">
          {t('publish.test.as')}
        </Text>
        <Stack gap="xs">
          {readers.map(({ value, label }) => (
            <Button key={value} onClick={() => void send(value)}>
              {label}
            </Button>
          ))}
        </Stack>
      </Modal>
    </>
  )
}
