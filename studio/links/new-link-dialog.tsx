import { Button, Checkbox, Collapse, Group, Modal, Select, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { createShortLink, keepUtmTemplate } from '../../server/links/contract.ts'
import { call } from '../api.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { useServerForm } from '../ui/server-form.ts'
import classes from './links.module.css'
import { type ShortLink, utmTemplatesQuery } from './queries.ts'

const utmFields = ['source', 'medium', 'campaign', 'term', 'content'] as const

interface Props {
  opened: boolean
  onClose: () => void
  onMade: (link: ShortLink) => void
}

/** A new short link: its target, its own address, its name, and the values that analytics programs read. */
export function NewLinkDialog({ opened, onClose, onMade }: Props) {
  const { t } = useTranslation()
  return (
    <Modal opened={opened} onClose={onClose} title={t('links.add')} size="lg">
      <NewLink onMade={onMade} onCancel={onClose} />
    </Modal>
  )
}

function NewLink({ onMade, onCancel }: { onMade: Props['onMade']; onCancel: () => void }) {
  const { t } = useTranslation()
  const { id } = useNewsletter()
  const queries = useQueryClient()
  const templates = useQuery(utmTemplatesQuery(id))
  const [hasUtm, utm] = useDisclosure(false)
  const initialValues = {
    ...{ target: '', slug: '', name: '', source: '', medium: '', campaign: '', term: '', content: '' },
    ...{ keep: false, keepAs: '' },
  }
  const { form, error, busy, submit } = useServerForm(
    { initialValues },
    async ({ target, slug, name, keep, keepAs, ...values }) => {
      const given = hasUtm && values.source !== '' ? values : null
      const params = { newsletterId: id }
      if (given && keep) await call(keepUtmTemplate, { params, body: { name: keepAs || given.source, ...given } })
      const body = { target: withScheme(target), name, ...(slug && { slug }), ...(given && { utm: given }) }
      const link = await call(createShortLink, { params, body })
      await queries.invalidateQueries({ queryKey: [id, 'clicks'] })
      await queries.invalidateQueries({ queryKey: utmTemplatesQuery(id).queryKey })
      onMade(link)
    },
  )
  const fill = (name: string | null) => {
    const template = templates.data?.find((each) => String(each.id) === name)
    if (template) for (const field of utmFields) form.setFieldValue(field, template[field])
  }
  return (
    <form onSubmit={submit} noValidate className={classes.form}>
      <TextInput
        label={t('links.target')}
        description={t('links.targetText')}
        placeholder="https://"
        data-autofocus
        required
        {...form.getInputProps('target')}
      />
      <Group grow align="flex-start">
        <TextInput
          label={t('links.name')}
          description={t('links.nameText')}
          maxLength={120}
          {...form.getInputProps('name')}
        />
        <TextInput
          label={t('links.slug')}
          description={t('links.slugText')}
          leftSection="/r/"
          maxLength={40}
          {...form.getInputProps('slug')}
        />
      </Group>
      <Button variant="subtle" size="xs" onClick={utm.toggle} aria-expanded={hasUtm}>
        {t(hasUtm ? 'links.noUtm' : 'links.utm')}
      </Button>
      <Collapse expanded={hasUtm}>
        <p className={classes.hint}>{t('links.utmText')}</p>
        {(templates.data?.length ?? 0) > 0 && (
          <Select
            label={t('links.utmKept')}
            data={(templates.data ?? []).map(({ id: value, name }) => ({ value: String(value), label: name }))}
            onChange={fill}
          />
        )}
        <div className={classes.utm}>
          {utmFields.map((field) => (
            <TextInput
              key={field}
              label={t(`links.utmField.${field}`)}
              maxLength={100}
              required={hasUtm && field === 'source'}
              {...form.getInputProps(field)}
            />
          ))}
        </div>
        <Checkbox label={t('links.utmKeep')} {...form.getInputProps('keep', { type: 'checkbox' })} />
        {form.values.keep && (
          <TextInput mt="xs" label={t('links.utmKeepAs')} maxLength={60} {...form.getInputProps('keepAs')} />
        )}
      </Collapse>
      <ErrorNotice error={error} />
      <Group justify="flex-end" gap="sm">
        <Button onClick={onCancel}>{t('ui.cancel')}</Button>
        <Button type="submit" variant="filled" color="encre" loading={busy}>
          {t('links.make')}
        </Button>
      </Group>
    </form>
  )
}

/** Who types `example.org/page` means the web. */
const withScheme = (target: string): string =>
  /^[a-z][a-z\d+.-]*:/i.test(target.trim()) ? target.trim() : `https://${target.trim()}`
