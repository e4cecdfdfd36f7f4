import { Button, Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Dialog } from './dialog.tsx'

interface Props {
  opened: boolean
  onStay: () => void
  onLeave: () => void
}

/** Asks before what was typed is lost. Escape stays. */
export function UnsavedDialog({ opened, onStay, onLeave }: Props) {
  const { t } = useTranslation()
  return (
    <Dialog opened={opened} onClose={onStay} title={t('unsaved.title')}>
      <Text size="sm" c="var(--tirage-ink2)">
        {t('unsaved.text')}
      </Text>
      <Group mt="lg" justify="flex-end" gap="sm">
        <Button onClick={onLeave}>{t('unsaved.leave')}</Button>
        <Button variant="filled" color="encre" onClick={onStay} data-autofocus>
          {t('unsaved.stay')}
        </Button>
      </Group>
    </Dialog>
  )
}
