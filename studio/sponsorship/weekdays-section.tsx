import { Chip } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
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
  const name = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' })
  const { mutate, variables, isPending, error } = useMutation({
    // One after the other, in the order of the presses.
    scope: { id: `weekdays of ${newsletterId}` },
    mutationFn: async (days: number[]) => {
      await call(updateSponsorship, { params: { newsletterId }, body: { weekdays: days } })
      await queries.invalidateQueries({ queryKey: sponsorshipKey(newsletterId) })
    },
    // Several presses are said to be saved once.
    onSuccess: () => notifications.show({ id: 'weekdays', message: t('sponsorship.weekdaysSaved') }),
  })
  // A second press adds to the first, also before that is saved.
  const chosen = isPending ? variables : weekdays
  return (
    <Section title={t('sponsorship.weekdays')} lead={t('sponsorship.weekdaysLead')}>
      <Chip.Group multiple value={chosen.map(String)} onChange={(values) => mutate(values.map(Number))}>
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
