import { Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PublicationDocument } from '../../../server/publications/document/schema.ts'
import { gatesOf } from '../../../server/publications/document/visible.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { useErrorToast } from '../../ui/error-toast.tsx'
import { IconSend } from '../../ui/icons.ts'
import type { Publication } from '../queries.ts'
import { useTestMail } from '../use-test-mail.tsx'
import { HeaderAction } from './header-action.tsx'
import { useReaderChoices } from './readers.ts'

interface Props {
  publication: Publication
  title: string
  content: PublicationDocument
  /** Saves what is written, and says whether all of it was saved. */
  save?: () => Promise<boolean>
}

/** Sends the saved version to the signed-in member, and shows where it went. Where readers see different parts, it asks first whose mail it is to be. */
export function TestMailButton({ publication, title, content, save = async () => true }: Props) {
  const { t } = useTranslation()
  const showError = useErrorToast()
  const sendTest = useTestMail()
  const readers = useReaderChoices()
  const [asking, ask] = useState(false)
  const [busy, setBusy] = useState(false)
  const send = async (reader: string) => {
    ask(false)
    setBusy(true)
    try {
      if (await save()) await sendTest(publication.id, { reader, isUntitled: !(publication.subject || title) })
    } catch (error) {
      showError(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <HeaderAction
        label={t('publish.test.send')}
        shortLabel={t('publish.test.short')}
        icon={<IconSend size={15} stroke={1.6} />}
        onClick={() => (gatesOf(content).length > 0 ? ask(true) : void send('paid'))}
        loading={busy}
      />
      <Dialog opened={asking} onClose={() => ask(false)} title={t('publish.test.send')} size="sm">
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
      </Dialog>
    </>
  )
}
