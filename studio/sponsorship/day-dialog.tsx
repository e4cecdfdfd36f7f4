import { Button, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { setSponsorDay } from '../../server/sponsorship/contract.ts'
import { call } from '../api.ts'
import { useFormat } from '../format.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import type { Calendar } from './calendar-grid.tsx'
import { sponsorshipKey } from './queries.ts'
import classes from './sponsorship.module.css'
import { momentOf } from './words.ts'

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
  const [chosen, setChosen] = useState(day)
  const [reason, setReason] = useState(found?.reason ?? '')
  const [error, setError] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  const set = async (kind: 'added' | 'blocked' | null) => {
    setBusy(true)
    setError(null)
    try {
      await call(setSponsorDay, { params: { newsletterId }, body: { day: chosen, kind, reason } })
      await queries.invalidateQueries({ queryKey: sponsorshipKey(newsletterId) })
      onClose()
    } catch (refusal) {
      setError(refusal)
    } finally {
      setBusy(false)
    }
  }
  const isUsual = day !== '' && calendar.settings.weekdays.includes(weekdayOf(day))
  const title = day === '' ? t('sponsorship.addDay') : format.fullDay(momentOf(day))
  return (
    <Dialog opened onClose={onClose} title={title}>
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault()
          void set(day === '' ? 'added' : found?.blocked ? null : 'blocked')
        }}
      >
        {day === '' && (
          <TextInput
            type="date"
            label={t('sponsorship.day')}
            required
            min={calendar.today}
            value={chosen}
            onChange={(event) => setChosen(event.currentTarget.value)}
          />
        )}
        {day !== '' && !found?.blocked && (
          <TextInput
            label={t('sponsorship.reason')}
            maxLength={120}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
        )}
        <ErrorNotice error={error} />
        <div className={classes.acts}>
          <Button type="submit" variant="filled" color="encre" loading={busy} disabled={chosen === ''}>
            {t(day === '' ? 'sponsorship.addDay' : found?.blocked ? 'sponsorship.unblock' : 'sponsorship.block')}
          </Button>
          {day !== '' && found?.sold && !isUsual && (
            <Button disabled={busy} onClick={() => void set(null)}>
              {t('sponsorship.removeDay')}
            </Button>
          )}
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
        </div>
      </form>
    </Dialog>
  )
}

/** 1 is Monday, 7 is Sunday. */
const weekdayOf = (day: string): number => new Date(Date.parse(day)).getUTCDay() || 7
