import { Button, Group, Text, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from './dialog.tsx'
import { ErrorNotice } from './error-notice.tsx'

interface Props {
  opened: boolean
  onClose: () => void
  title: string
  /** What will be lost, and what can be undone. */
  children: ReactNode
  confirm: string
  /** The label of the button that cancels, where nothing is removed. */
  keep?: string
  /** A button beside the two, for what most would rather do. */
  instead?: ReactNode
  /** False where it cannot be done: `children` then say why and what to do, and only the other button is there. */
  isPossible?: boolean
  /** Words that must be typed first, when the loss would be great. */
  typed?: string | undefined
  /** `ask again` keeps the question open, because there is more to say. */
  onConfirm: () => Promise<unknown>
}

/**
 * Keyboards have straight quotes, hyphens and plain spaces only, and a phone begins with a capital. Every quotation mark is as good as another:
 * those of a name are shown in the second rank, inside of those of the sentence.
 */
const asTyped = (words: string): string =>
  words
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/«\s*|\s*»|[‘’ʼ“”"]/g, "'")
    .replaceAll(/[\u2010-\u2015]/g, '-')
    .replaceAll(/\s+/g, ' ')
    .trim()

/** Asks before something is removed. The red button names the action; Escape and the other button cancel. */
export function ConfirmDelete({
  opened,
  onClose,
  title,
  children,
  confirm,
  keep,
  instead,
  isPossible = true,
  typed,
  onConfirm,
}: Props) {
  const { t } = useTranslation()
  const [words, setWords] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const close = () => {
    setWords('')
    setError(null)
    onClose()
  }
  const run = async () => {
    setBusy(true)
    setError(null)
    await onConfirm().then((result) => result === 'ask again' || close(), setError)
    setBusy(false)
  }
  return (
    <Dialog opened={opened} onClose={close} title={title} size={instead ? 'lg' : 'md'}>
      <Text size="sm" c="var(--tirage-ink2)" component="div">
        {children}
      </Text>
      {typed && (
        <TextInput
          mt="md"
          label={t('ui.typeToConfirm', { words: typed })}
          value={words}
          onChange={(event) => setWords(event.currentTarget.value)}
          data-autofocus
        />
      )}
      <ErrorNotice error={error} />
      <Group mt="lg" justify="flex-end" gap="sm">
        <Button onClick={close} data-autofocus={typed ? undefined : true}>
          {keep ?? t('ui.keep')}
        </Button>
        {instead}
        {isPossible && (
          <Button
            variant="filled"
            color="rouge"
            loading={busy}
            disabled={typed !== undefined && asTyped(words) !== asTyped(typed)}
            onClick={() => void run()}
          >
            {confirm}
          </Button>
        )}
      </Group>
    </Dialog>
  )
}
