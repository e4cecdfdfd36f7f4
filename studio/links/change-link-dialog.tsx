import { Button, Group, Modal, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { updateShortLink } from '../../server/links/contract.ts'
import { call } from '../api.ts'
import { dayOf, endOfDay } from '../day.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { useServerForm } from '../ui/server-form.ts'
import classes from './links.module.css'
import type { ShortLink } from './queries.ts'

/** Another name, target, end, or where the link leads after it. A link in a publication keeps its target. */
export function ChangeLinkDialog({ opened, onClose, link }: { opened: boolean; onClose: () => void; link: ShortLink }) {
  const { t } = useTranslation()
  return (
    <Modal opened={opened} onClose={onClose} title={t('links.change')}>
      <ChangeLink link={link} onDone={onClose} />
    </Modal>
  )
}

function ChangeLink({ link, onDone }: { link: ShortLink; onDone: () => void }) {
  const { t } = useTranslation()
  const { id, timezone } = useNewsletter()
  const queries = useQueryClient()
  const initialValues = {
    name: link.name,
    target: link.target,
    expiresAt: link.expiresAt ? dayOf(link.expiresAt, timezone) : '',
    fallback: link.fallback ?? '',
  }
  const { form, error, busy, submit } = useServerForm(
    { initialValues },
    async ({ name, target, expiresAt, fallback }) => {
      const isSameDay = expiresAt === initialValues.expiresAt
      await call(updateShortLink, {
        params: { newsletterId: id, linkId: link.id },
        body: {
          name,
          ...(link.publicationId === null && { target }),
          ...(!isSameDay && { expiresAt: endOfDay(expiresAt, timezone) }),
          fallback: fallback === '' ? null : fallback,
        },
      })
      await queries.invalidateQueries({ queryKey: [id, 'clicks'] })
      onDone()
    },
  )
  return (
    <form onSubmit={submit} noValidate className={classes.form}>
      <TextInput label={t('links.name')} maxLength={120} data-autofocus {...form.getInputProps('name')} />
      <TextInput
        label={t('links.target')}
        description={link.publicationId === null ? null : t('links.targetStays')}
        disabled={link.publicationId !== null}
        {...form.getInputProps('target')}
      />
      <TextInput
        type="date"
        label={t('links.end')}
        description={t('links.endText')}
        {...form.getInputProps('expiresAt')}
      />
      <TextInput
        label={t('links.fallback')}
        description={t('links.fallbackText')}
        placeholder="https://"
        {...form.getInputProps('fallback')}
      />
      <ErrorNotice error={error} />
      <Group justify="flex-end" gap="sm">
        <Button onClick={onDone}>{t('ui.cancel')}</Button>
        <Button type="submit" variant="filled" color="encre" loading={busy}>
          {t('ui.save')}
        </Button>
      </Group>
    </form>
  )
}
