import { Button, MultiSelect, NumberInput, Select, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { updateSubscriber } from '../../server/subscribers/contract.ts'
import { call } from '../api.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { useErrorToast } from '../ui/error-toast.tsx'
import { Section } from '../ui/section.tsx'
import { useServerForm } from '../ui/server-form.ts'
import type { CustomField } from './draft.ts'
import { fieldsQuery, tagsQuery } from './queries.ts'
import classes from './segments.module.css'

type Values = Record<string, string | number | boolean>

interface Props {
  subscriber: { id: string; tags: { id: number; name: string }[]; fields: Values }
  className?: string | undefined
}

/** The tags of one subscriber, and the answers to the newsletter's fields. */
export function LabelsOfSubscriber({ subscriber, className }: Props) {
  const { t } = useTranslation()
  const { id, may } = useNewsletter()
  const { data: tags = [] } = useQuery(tagsQuery(id))
  const { data: fields = [] } = useQuery(fieldsQuery(id))
  const showError = useErrorToast()
  const refresh = useRefresh()
  const params = { newsletterId: id, subscriberId: subscriber.id }
  const save = useMutation({
    mutationFn: (tagIds: number[]) => call(updateSubscriber, { params, body: { tagIds } }),
    onSuccess: refresh,
    onError: showError,
  })
  const chosen = save.isPending ? save.variables : subscriber.tags.map((tag) => tag.id)
  return (
    <>
      {tags.length > 0 && (
        <Section title={t('segments.labels.ofSubscriber')} className={className}>
          <MultiSelect
            aria-label={t('segments.labels.ofSubscriber')}
            placeholder={t('segments.labels.tagPlaceholder')}
            searchable
            disabled={!may('subscribers.write')}
            data={tags.map((tag) => ({ value: String(tag.id), label: tag.name }))}
            value={chosen.map(String)}
            onChange={(values) => save.mutate(values.map(Number))}
            nothingFoundMessage={t('segments.nothing')}
          />
        </Section>
      )}
      {fields.length > 0 && (
        <Section title={t('segments.labels.fieldsOfSubscriber')} className={className}>
          <FieldsForm key={subscriber.id} subscriber={subscriber} fields={fields} />
        </Section>
      )}
    </>
  )
}

function useRefresh() {
  const { id } = useNewsletter()
  const queries = useQueryClient()
  return async () => {
    await queries.invalidateQueries({ queryKey: [id, 'subscribers'] })
    await queries.invalidateQueries({ queryKey: [id, 'segments'] })
  }
}

/** What was typed, as the API takes it: an empty field has no value. */
function typedValue({ kind }: CustomField, text: string): string | number | boolean | null {
  if (text.trim() === '') return null
  if (kind === 'number') return Number(text)
  return kind === 'yes_no' ? text === 'true' : text
}

function FieldsForm({ subscriber, fields }: { subscriber: Props['subscriber']; fields: CustomField[] }) {
  const { t } = useTranslation()
  const { id, may } = useNewsletter()
  const refresh = useRefresh()
  const { form, error, busy, submit } = useServerForm<Record<string, string>>(
    { initialValues: Object.fromEntries(fields.map(({ key }) => [key, String(subscriber.fields[key] ?? '')])) },
    async (typed) => {
      const values = Object.fromEntries(fields.map((field) => [field.key, typedValue(field, typed[field.key] ?? '')]))
      // A choice that was taken off the list stays as it is, and cannot be given anew.
      const changed = Object.entries(values).filter(([key, value]) => value !== (subscriber.fields[key] ?? null))
      const params = { newsletterId: id, subscriberId: subscriber.id }
      await call(updateSubscriber, { params, body: { fields: Object.fromEntries(changed) } })
      notifications.show({ message: t('segments.labels.savedFields') })
      await refresh()
    },
  )
  return (
    <form onSubmit={submit} noValidate className={classes.fields}>
      {fields.map((field) => (
        <FieldInput
          key={field.key}
          field={field}
          disabled={!may('subscribers.write')}
          value={form.values[field.key] ?? ''}
          change={(value) => form.setFieldValue(field.key, value)}
        />
      ))}
      <ErrorNotice error={error} />
      {may('subscribers.write') && (
        <Button type="submit" loading={busy}>
          {t('segments.labels.saveFields')}
        </Button>
      )}
    </form>
  )
}

interface InputProps {
  field: CustomField
  disabled: boolean
  value: string
  change: (value: string) => void
}

function FieldInput({ field: { label, kind, choices }, disabled, value, change }: InputProps) {
  const { t } = useTranslation()
  if (kind === 'number')
    return (
      <NumberInput
        label={label}
        hideControls
        disabled={disabled}
        value={value === '' ? '' : Number(value)}
        onChange={(typed) => change(String(typed))}
      />
    )
  if (kind === 'yes_no' || kind === 'choice') {
    const yesNo = [
      { value: 'true', label: t('segments.labels.yes') },
      { value: 'false', label: t('segments.labels.no') },
    ]
    const listed = choices.includes(value) || value === '' ? choices : [...choices, value]
    return (
      <Select
        label={label}
        clearable
        disabled={disabled}
        data={kind === 'yes_no' ? yesNo : listed}
        value={value === '' ? null : value}
        onChange={(chosen) => change(chosen ?? '')}
      />
    )
  }
  return (
    <TextInput
      label={label}
      type={kind === 'date' ? 'date' : 'text'}
      disabled={disabled}
      maxLength={500}
      value={value}
      onChange={(event) => change(event.currentTarget.value)}
    />
  )
}
