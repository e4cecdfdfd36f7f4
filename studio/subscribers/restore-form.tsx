import { Button, Group, TextInput } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { useServerForm } from '../ui/server-form.ts'
import classes from './subscribers.module.css'

interface Props {
  /** A reason that somebody might give. */
  example: string
  confirm: string
  onCancel: () => void
  onRestore: (reason: string) => Promise<unknown>
}

/** Why mail shall go to somebody again. */
export function RestoreForm({ example, confirm, onCancel, onRestore }: Props) {
  const { t } = useTranslation()
  const field = useRef<HTMLInputElement>(null)
  // The button that opened the form may be gone, and the focus with it.
  useEffect(() => field.current?.focus(), [])
  const { form, error, busy, submit } = useServerForm({ initialValues: { reason: '' } }, ({ reason }) =>
    onRestore(reason),
  )
  return (
    <form onSubmit={submit} noValidate className={classes.form}>
      <TextInput
        ref={field}
        label={t('subscribers.restore.reason')}
        description={t('subscribers.restore.reasonHint')}
        placeholder={example}
        maxLength={500}
        required
        data-autofocus
        {...form.getInputProps('reason')}
      />
      <ErrorNotice error={error} />
      <Group justify="flex-end" gap="sm">
        <Button onClick={onCancel}>{t('ui.cancel')}</Button>
        <Button type="submit" variant="filled" color="encre" loading={busy}>
          {confirm}
        </Button>
      </Group>
    </form>
  )
}
