import { Button, Group, Select, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  CustomField as CustomFieldShape,
  createField,
  createTag,
  deleteField,
  deleteTag,
} from '../../server/segments/contract.ts'
import { ApiError, call } from '../api.ts'
import { useFormat } from '../format.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { QueryContent } from '../ui/query-content.tsx'
import { Section } from '../ui/section.tsx'
import { useServerForm } from '../ui/server-form.ts'
import { DeleteUsed } from './delete-used.tsx'
import { fieldsQuery, tagsQuery } from './queries.ts'
import { hasChoices, linesOf, type Named, RenameLabel } from './rename-label.tsx'
import classes from './segments.module.css'
import { ShownField } from './shown-field.tsx'
import { useLabelsRefresh } from './use-labels-refresh.ts'

/** Tags and custom fields: what there is, and forms to add, rename and delete. */
export function LabelsPage() {
  const { t } = useTranslation()
  const { may } = useNewsletter()
  const [renaming, setRenaming] = useState<Named | null>(null)
  const [deleting, setDeleting] = useState<Named | null>(null)
  const acts = may('subscribers.write') ? { rename: setRenaming, remove: setDeleting } : null
  return (
    <>
      <PageTitle title={t('shell.titles.labels')} lead={t('segments.labels.lead')} />
      <Tags acts={acts} />
      <Fields acts={acts} />
      {renaming && <RenameLabel key={renaming.id} named={renaming} onClose={() => setRenaming(null)} />}
      <Delete named={deleting} onClose={() => setDeleting(null)} />
    </>
  )
}

interface Acts {
  rename: (named: Named) => void
  remove: (named: Named) => void
}

function Tags({ acts }: { acts: Acts | null }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { id } = useNewsletter()
  const tags = useQuery(tagsQuery(id))
  return (
    <Section title={t('segments.labels.tags')}>
      {acts && <AddTag />}
      <QueryContent query={tags}>
        {(rows) => (
          <ul className={classes.list}>
            {rows.length === 0 && <li className={classes.hint}>{t('segments.labels.noTags')}</li>}
            {rows.map((tag) => (
              <li key={tag.id}>
                <b>{tag.name}</b>
                <span>{t('segments.people', { count: tag.subscribers, n: format.number(tag.subscribers) })}</span>
                <RowActs acts={acts} named={{ what: 'tag', id: tag.id, name: tag.name }} />
              </li>
            ))}
          </ul>
        )}
      </QueryContent>
    </Section>
  )
}

function AddTag() {
  const { t } = useTranslation()
  const { id } = useNewsletter()
  const refresh = useLabelsRefresh()
  const { form, error, busy, submit } = useServerForm({ initialValues: { name: '' } }, async ({ name }) => {
    await call(createTag, { params: { newsletterId: id }, body: { name } })
    form.reset()
    await refresh()
  })
  return (
    <form onSubmit={submit} noValidate className={classes.inline}>
      <TextInput label={t('segments.labels.newTag')} required maxLength={60} {...form.getInputProps('name')} />
      <Button type="submit" loading={busy}>
        {t('segments.labels.addTag')}
      </Button>
      <ErrorNotice error={error} />
    </form>
  )
}

function Fields({ acts }: { acts: Acts | null }) {
  const { t } = useTranslation()
  const { id } = useNewsletter()
  const fields = useQuery(fieldsQuery(id))
  return (
    <Section title={t('segments.labels.fields')}>
      {acts && <AddField />}
      <QueryContent query={fields}>
        {(rows) => (
          <ul className={classes.list}>
            {rows.length === 0 && <li className={classes.hint}>{t('segments.labels.noFields')}</li>}
            {rows.map((field) => (
              <li key={field.id}>
                <b>{field.label}</b>
                <span>{field.choices.join(', ') || t(`segments.labels.kinds.${field.kind}`)}</span>
                <code>{field.key}</code>
                <ShownField field={field} disabled={!acts} />
                <RowActs
                  acts={acts}
                  named={{ what: 'field', id: field.id, name: field.label, choices: field.choices }}
                />
              </li>
            ))}
          </ul>
        )}
      </QueryContent>
    </Section>
  )
}

const kinds = CustomFieldShape.shape.kind.options
type Kind = (typeof kinds)[number]

/** A key that the words of a question suggest: “Date of birth” is `date_of_birth`. */
const keyOf = (label: string): string =>
  label
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^[_0-9]+|_+$/g, '')
    .slice(0, 40)

/** Whoever has typed no key reads beside their words that there is such a question. */
function ofItsWords(refusal: unknown): unknown {
  if (!(refusal instanceof ApiError) || refusal.code !== 'name_taken') return refusal
  const { code, message, fields, status, detail } = refusal
  return new ApiError(code, message, { fields: { label: Object.values(fields)[0] ?? message }, status, detail })
}

function AddField() {
  const { t } = useTranslation()
  const { id } = useNewsletter()
  const refresh = useLabelsRefresh()
  const { form, error, busy, submit } = useServerForm<{ label: string; key: string; kind: Kind; choices: string }>(
    { initialValues: { label: '', key: '', kind: 'text', choices: '' } },
    async ({ label, key, kind, choices }) => {
      const body = { label, key: key || keyOf(label), kind, choices: kind === 'choice' ? linesOf(choices) : [] }
      await call(createField, { params: { newsletterId: id }, body }).catch((refusal: unknown) => {
        throw key ? refusal : ofItsWords(refusal)
      })
      form.reset()
      await refresh()
    },
  )
  return (
    <form onSubmit={submit} noValidate className={classes.inline}>
      <TextInput label={t('segments.labels.label')} required maxLength={60} {...form.getInputProps('label')} />
      <TextInput
        label={t('segments.labels.key')}
        description={t('segments.labels.keyHint')}
        placeholder={keyOf(form.values.label)}
        maxLength={40}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        {...form.getInputProps('key')}
      />
      <Select
        label={t('segments.labels.kind')}
        allowDeselect={false}
        data={kinds.map((value) => ({ value, label: t(`segments.labels.kinds.${value}`) }))}
        {...form.getInputProps('kind')}
      />
      {form.values.kind === 'choice' && (
        <Textarea label={t('segments.labels.choices')} autosize minRows={2} {...form.getInputProps('choices')} />
      )}
      <Button type="submit" loading={busy}>
        {t('segments.labels.addField')}
      </Button>
      <ErrorNotice error={error} />
    </form>
  )
}

function RowActs({ acts, named }: { acts: Acts | null; named: Named }) {
  const { t } = useTranslation()
  if (!acts) return null
  const { name } = named
  return (
    <Group gap={0} ml="auto">
      <Button
        size="xs"
        variant="subtle"
        aria-label={t(hasChoices(named) ? 'segments.labels.changeOf' : 'segments.labels.renameOf', { name })}
        onClick={() => acts.rename(named)}
      >
        {t(hasChoices(named) ? 'segments.labels.change' : 'segments.labels.rename')}
      </Button>
      <Button
        size="xs"
        variant="subtle"
        color="rouge"
        aria-label={t('segments.labels.deleteOf', { name })}
        onClick={() => acts.remove(named)}
      >
        {t('segments.delete')}
      </Button>
    </Group>
  )
}

function Delete({ named, onClose }: { named: Named | null; onClose: () => void }) {
  const { t } = useTranslation()
  const { id } = useNewsletter()
  const refresh = useLabelsRefresh()
  return (
    <DeleteUsed
      name={named?.name ?? null}
      text={t(named?.what === 'field' ? 'segments.labels.fieldText' : 'segments.labels.tagText')}
      onClose={onClose}
      onDelete={async (evenIfUsed) => {
        if (!named) return
        const query = { evenIfUsed }
        await (named.what === 'tag'
          ? call(deleteTag, { params: { newsletterId: id, tagId: named.id }, query })
          : call(deleteField, { params: { newsletterId: id, fieldId: named.id }, query }))
        await refresh()
      }}
    />
  )
}
