import { Button, Group, Textarea, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { renameTag, updateField } from '../../server/segments/contract.ts'
import { call } from '../api.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { useServerForm } from '../ui/server-form.ts'
import { useLabelsRefresh } from './use-labels-refresh.ts'

/** A tag or a field, by its name. */
export interface Named {
  what: 'tag' | 'field'
  id: number
  name: string
  /** Of a field with choices. */
  choices?: string[]
}

export const hasChoices = ({ choices }: Named): boolean => choices !== undefined && choices.length > 0

/** The lines of a text that say something. */
export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** Changes the name of a tag or a field, and the choices of a field that has some. */
export function RenameLabel({ named, onClose }: { named: Named; onClose: () => void }) {
  const { t } = useTranslation()
  const { id } = useNewsletter()
  const refresh = useLabelsRefresh()
  const isChoice = hasChoices(named)
  const initialValues = { name: named.name, choices: named.choices?.join('\n') ?? '' }
  const { form, error, busy, submit } = useServerForm({ initialValues }, async ({ name, choices }) => {
    const params = { newsletterId: id }
    await (named.what === 'tag'
      ? call(renameTag, { params: { ...params, tagId: named.id }, body: { name } })
      : call(updateField, {
          params: { ...params, fieldId: named.id },
          body: { label: name, ...(isChoice && { choices: linesOf(choices) }) },
        }))
    await refresh()
    onClose()
  })
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t(isChoice ? 'segments.labels.changeOf' : 'segments.labels.renameOf', { name: named.name })}
    >
      <form onSubmit={submit} noValidate>
        <TextInput
          label={t('segments.labels.newName')}
          required
          maxLength={60}
          data-autofocus
          {...form.getInputProps('name')}
        />
        {isChoice && (
          <Textarea
            mt="md"
            label={t('segments.labels.choices')}
            description={t('segments.labels.choicesHint')}
            autosize
            minRows={3}
            maxRows={12}
            {...form.getInputProps('choices')}
          />
        )}
        <ErrorNotice error={error} />
        <Group mt="lg" justify="flex-end" gap="sm">
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button type="submit" variant="filled" color="encre" loading={busy}>
            {t('segments.labels.save')}
          </Button>
        </Group>
      </form>
    </Dialog>
  )
}
