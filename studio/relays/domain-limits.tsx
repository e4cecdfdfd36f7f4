import { ActionIcon, Button, Group, NumberInput, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { setDomainLimits } from '../../server/relays/contract.ts'
import { ApiError, call } from '../api.ts'
import { useFormat } from '../format.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { IconPlus, IconX } from '../ui/icons.ts'
import { Section } from '../ui/section.tsx'
import type { Relays } from './queries.ts'
import classes from './relays.module.css'

type Limit = { domain: string; perSecond: number | ''; perHour: number | '' }

const shown = (limits: Relays['domainLimits']): Limit[] =>
  limits.map(({ readable, perSecond, perHour }) => ({
    domain: readable,
    perSecond: perSecond ?? '',
    perHour: perHour ?? '',
  }))

/** How fast mail may go to the mailboxes of one domain, by all relays together. */
export function DomainLimits({ limits }: { limits: Relays['domainLimits'] }) {
  const { t } = useTranslation()
  const { may } = useNewsletter()
  return (
    <Section title={t('relays.ui.domains.title')} className={classes.part}>
      <p className={classes.hint}>{t('relays.ui.domains.text')}</p>
      {may('relays.manage') ? <Editor limits={limits} /> : <List limits={limits} />}
    </Section>
  )
}

function List({ limits }: { limits: Relays['domainLimits'] }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <ul className={classes.instance}>
      {limits.map(({ domain, readable, perSecond, perHour }) => (
        <li key={domain}>
          <b>{readable}</b>
          {perSecond !== null && <span>{t('relays.ui.perSecondShort', { n: format.number(perSecond) })}</span>}
          {perHour !== null && <span>{t('relays.ui.perHourShort', { n: format.number(perHour) })}</span>}
        </li>
      ))}
    </ul>
  )
}

function Editor({ limits }: { limits: Relays['domainLimits'] }) {
  const { t } = useTranslation()
  const { id: newsletterId } = useNewsletter()
  const queries = useQueryClient()
  const form = useForm({ initialValues: { limits: shown(limits) } })
  const [error, setError] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  const [added, setAdded] = useState<number | null>(null)
  const add = () => {
    setAdded(form.getValues().limits.length)
    form.insertListItem('limits', { domain: '', perSecond: '', perHour: '' })
  }
  const save = form.onSubmit(async (values) => {
    setBusy(true)
    setError(null)
    try {
      const body = {
        limits: values.limits.map((limit) => ({
          ...limit,
          perSecond: limit.perSecond || null,
          perHour: limit.perHour || null,
        })),
      }
      const saved = await call(setDomainLimits, { params: { newsletterId }, body })
      form.setInitialValues({ limits: shown(saved.limits) })
      // What was typed meanwhile stays.
      if (form.getValues() === values) form.reset()
      notifications.show({ message: t('ui.saved') })
      await queries.invalidateQueries({ queryKey: [newsletterId, 'relays'] })
    } catch (refusal) {
      if (refusal instanceof ApiError && Object.keys(refusal.fields).length > 0) form.setErrors(refusal.fields)
      else setError(refusal)
    } finally {
      setBusy(false)
    }
  })
  return (
    <form data-unsaved={(form.isDirty() && !busy) || undefined} onSubmit={save} noValidate>
      {form.getValues().limits.map((_, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row of the form is its place in the list
        <LimitFields key={place} form={form} place={place} isNew={place === added} />
      ))}
      <ErrorNotice error={error} />
      <Group gap="sm" mt="sm">
        <Button size="xs" leftSection={<IconPlus size={14} stroke={1.6} aria-hidden="true" />} onClick={add}>
          {t('relays.ui.domains.add')}
        </Button>
        {form.isDirty() && (
          <Button type="submit" size="xs" variant="filled" color="encre" loading={busy}>
            {t('ui.save')}
          </Button>
        )}
      </Group>
    </form>
  )
}

type Form = ReturnType<typeof useForm<{ limits: Limit[] }>>

interface LimitProps {
  form: Form
  place: number
  /** Whether it was added just now: it is to be filled in. */
  isNew: boolean
}

function LimitFields({ form, place, isNew }: LimitProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const domain = form.getValues().limits[place]?.domain || t('relays.ui.domains.new')
  return (
    <div className={classes.limit}>
      <TextInput
        aria-label={t('relays.ui.domains.domain')}
        placeholder="orange.fr"
        autoFocus={isNew}
        required
        {...form.getInputProps(`limits.${place}.domain`)}
      />
      <NumberInput
        aria-label={t('relays.ui.domains.perSecondOf', { domain })}
        placeholder={t('relays.ui.domains.aSecond').trim()}
        suffix={t('relays.ui.domains.aSecond')}
        {...format.typed}
        min={0.01}
        hideControls
        {...form.getInputProps(`limits.${place}.perSecond`)}
      />
      <NumberInput
        aria-label={t('relays.ui.domains.perHourOf', { domain })}
        placeholder={t('relays.ui.domains.anHour').trim()}
        suffix={t('relays.ui.domains.anHour')}
        {...format.typed}
        min={1}
        allowDecimal={false}
        hideControls
        {...form.getInputProps(`limits.${place}.perHour`)}
      />
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t('relays.ui.domains.remove', { domain })}
        onClick={() => form.removeListItem('limits', place)}
      >
        <IconX size={16} stroke={1.6} aria-hidden="true" />
      </ActionIcon>
    </div>
  )
}
