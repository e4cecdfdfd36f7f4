import { Button, Group, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { changeUtmTemplate, removeUtmTemplate } from '../../server/links/contract.ts'
import { utmFields } from '../../server/links/utm.ts'
import { call } from '../api.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { ConfirmDelete } from '../ui/confirm-delete.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { Section } from '../ui/section.tsx'
import { useServerForm } from '../ui/server-form.ts'
import classes from './links.module.css'
import { type UtmTemplate, utmTemplatesQuery } from './queries.ts'
import { UtmInputs } from './utm-fields.tsx'

/** The values that are kept under a name: what they are, to change and to forget. Nothing while none is kept. */
export function UtmTemplates() {
  const { t } = useTranslation()
  const { id, may } = useNewsletter()
  const queries = useQueryClient()
  const { queryKey } = utmTemplatesQuery(id)
  const { data: templates = [] } = useQuery(utmTemplatesQuery(id))
  const [changed, setChanged] = useState<UtmTemplate | null>(null)
  const [forgotten, setForgotten] = useState<UtmTemplate | null>(null)
  const forget = async () => {
    if (!forgotten) return
    await call(removeUtmTemplate, { params: { newsletterId: id, templateId: forgotten.id } })
    await queries.invalidateQueries({ queryKey })
  }
  if (templates.length === 0) return null
  return (
    <Section title={t('links.utmKeptTitle')} className={classes.templates}>
      <ul>
        {templates.map((template) => (
          <li key={template.id}>
            <span>
              <b>{template.name}</b>
              <small>{valuesOf(template)}</small>
            </span>
            {may('links.write') && (
              <Group gap={8} wrap="nowrap">
                <Button
                  size="xs"
                  onClick={() => setChanged(template)}
                  aria-label={t('links.utmChange', { name: template.name })}
                >
                  {t('links.change')}
                </Button>
                <Button
                  size="xs"
                  onClick={() => setForgotten(template)}
                  aria-label={t('links.utmForget', { name: template.name })}
                >
                  {t('links.utmForgetShort')}
                </Button>
              </Group>
            )}
          </li>
        ))}
      </ul>
      <Dialog opened={changed !== null} onClose={() => setChanged(null)} title={changed?.name}>
        {changed && <ChangeTemplate template={changed} onDone={() => setChanged(null)} />}
      </Dialog>
      <ConfirmDelete
        opened={forgotten !== null}
        onClose={() => setForgotten(null)}
        title={t('links.utmForgetAsk', { name: forgotten?.name ?? '' })}
        confirm={t('links.utmForgetShort')}
        onConfirm={forget}
      >
        {t('links.utmForgetText')}
      </ConfirmDelete>
    </Section>
  )
}

const valuesOf = (template: UtmTemplate): string =>
  utmFields.flatMap((field) => (template[field] === '' ? [] : [`utm_${field}=${template[field]}`])).join('  ')

function ChangeTemplate({ template, onDone }: { template: UtmTemplate; onDone: () => void }) {
  const { t } = useTranslation()
  const { id } = useNewsletter()
  const queries = useQueryClient()
  const { id: templateId, name, ...utm } = template
  const { form, error, busy, submit } = useServerForm({ initialValues: { name, utm } }, async (typed) => {
    const body = { name: typed.name, ...typed.utm }
    await call(changeUtmTemplate, { params: { newsletterId: id, templateId }, body })
    await queries.invalidateQueries({ queryKey: utmTemplatesQuery(id).queryKey })
    onDone()
  })
  return (
    <form onSubmit={submit} noValidate className={classes.form}>
      <p className={classes.hint}>{t('links.utmChangeText')}</p>
      <TextInput label={t('links.utmName')} maxLength={60} required {...form.getInputProps('name')} />
      <UtmInputs values={form.values.utm} field={(field) => form.getInputProps(`utm.${field}`)} />
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
