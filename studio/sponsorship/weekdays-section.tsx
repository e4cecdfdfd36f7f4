import { Chip } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { updateSponsorship } from '../../server/sponsorship/contract.ts'
import { call } from '../api.ts'
import { useFormat } from '../format.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { Section } from '../ui/section.tsx'
import { sponsorshipKey } from './queries.ts'
import classes from './sponsorship.module.css'

/** Monday to Sunday, as ISO 8601 counts them. The first of January 2024 was a Monday. */
const week = [1, 2, 3, 4, 5, 6, 7]

/** On which weekdays placements are sold. Each press is saved. */
export function WeekdaysSection({ weekdays }: { weekdays: number[] }) {
  const { t } = useTranslation()
  const { locale } = useFormat()
  const { id: newsletterId, may } = useNewsletter()
  const queries = useQueryClient()
  const [error, setError] = useState<unknown>(null)
  const name = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' })
  const save = async (values: string[]) => {
    setError(null)
    try {
      await call(updateSponsorship, { params: { newsletterId }, body: { weekdays: values.map(Number) } })
      await queries.invalidateQueries({ queryKey: sponsorshipKey(newsletterId) })
      notifications.show({ message: t('sponsorship.weekdaysSaved') })
    } catch (refusal) {
      setError(refusal)
    }
  }
  return (
    <Section title={t('sponsorship.weekdays')} lead={t('sponsorship.weekdaysLead')}>
      <Chip.Group multiple value={weekdays.map(String)} onChange={(values) => void save(values)}>
        <div className={classes.acts}>
          {week.map((day) => (
            <Chip key={day} value={String(day)} disabled={!may('sponsorship.write')}>
              {name.format(new Date(Date.UTC(2024, 0, day)))}
            </Chip>
          ))}
        </div>
      </Chip.Group>
      <ErrorNotice error={error} />
    </Section>
  )
}
