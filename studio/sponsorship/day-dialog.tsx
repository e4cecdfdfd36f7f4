import { Button, Group, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { setSponsorDay } from '../../server/sponsorship/contract.ts'
import { call } from '../api.ts'
import { useFormat } from '../format.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { DateField } from '../ui/date-field.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { useServerForm } from '../ui/server-form.ts'
import type { Calendar } from './calendar-grid.tsx'
import { sponsorshipKey } from './queries.ts'
import classes from './sponsorship.module.css'

interface Props {
  /** Empty: one that is chosen here and added. */
  day: string
  calendar: Calendar
  onClose: () => void
}

/** Blocks a day, adds one, or leaves it to the weekdays again. */
export function DayDialog({ day, calendar, onClose }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const { id: newsletterId } = useNewsletter()
  const queries = useQueryClient()
  const found = calendar.days.find((one) => one.day === day)
  const isNew = day === ''
  const change = async (kind: 'added' | 'blocked' | null, values: { day: string; reason: string }) => {
    await call(setSponsorDay, { params: { newsletterId }, body: { ...values, kind } })
    await queries.invalidateQueries({ queryKey: sponsorshipKey(newsletterId) })
    onClose()
  }
  const { form, error, busy, submit } = useServerForm(
    {
      initialValues: { day, reason: found?.reason ?? '' },
      validate: { day: (chosen) => (isNew && isOnSale(calendar, chosen) ? t('sponsorship.soldAlready') : null) },
    },
    (values) => change(isNew ? 'added' : found?.blocked ? null : 'blocked', values),
  )
  const removal = useMutation({ mutationFn: () => change(null, form.getValues()) })
  const isUsual = !isNew && calendar.settings.weekdays.includes(weekdayOf(day))
  const title = isNew ? t('sponsorship.addDay') : format.calendarFullDay(day)
  return (
    <Dialog opened onClose={onClose} title={title}>
      <form noValidate className={classes.form} onSubmit={submit}>
        {isNew && (
          <DateField label={t('sponsorship.day')} required min={calendar.today} {...form.getInputProps('day')} />
        )}
        {!isNew && !found?.blocked && (
          <TextInput label={t('sponsorship.reason')} maxLength={120} {...form.getInputProps('reason')} />
        )}
        <ErrorNotice error={error ?? removal.error} />
        <Group justify="flex-end" gap="sm">
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          {!isNew && found?.sold && !isUsual && (
            <Button disabled={busy} loading={removal.isPending} onClick={() => removal.mutate()}>
              {t('sponsorship.removeDay')}
            </Button>
          )}
          <Button type="submit" variant="filled" color="encre" loading={busy} disabled={removal.isPending}>
            {t(isNew ? 'sponsorship.addDay' : found?.blocked ? 'sponsorship.unblock' : 'sponsorship.block')}
          </Button>
        </Group>
      </form>
    </Dialog>
  )
}

/** Whether a day is sold without being added; of one that is not shown the weekday says it. */
const isOnSale = ({ days, settings, today }: Calendar, day: string): boolean =>
  day >= today && (days.find((one) => one.day === day)?.sold ?? settings.weekdays.includes(weekdayOf(day)))

/** 1 is Monday, 7 is Sunday. */
const weekdayOf = (day: string): number => new Date(Date.parse(day)).getUTCDay() || 7
