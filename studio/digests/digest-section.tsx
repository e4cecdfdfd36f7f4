import { Select, Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { dateFormat } from '../../server/languages.ts'
import { useFormat } from '../format.ts'
import { SettingsForm } from '../newsletters/settings-page.tsx'
import { useSettingsForm } from '../newsletters/use-settings-form.tsx'
import { useNewsletter } from '../shell/newsletter.tsx'
import { QueryContent } from '../ui/query-content.tsx'
import { Section } from '../ui/section.tsx'
import { todaysName } from '../ui/timezones.ts'
import classes from './digests.module.css'
import { digestsQuery } from './queries.ts'

const HOURS = Array.from({ length: 24 }, (_, hour) => hour)
/** A Monday. */
const MONDAY = Date.UTC(2026, 10, 23)
const HOUR_MS = 3600 * 1000

/** Whether subscribers may choose one mail a week or month, when it goes out, and to how many. */
export function DigestSection() {
  const { t } = useTranslation()
  const { locale } = useFormat()
  const { timezone, digests } = useNewsletter()
  const settings = useSettingsForm(['digests', 'digestWeekday', 'digestHour'])
  const { form } = settings
  const { digestWeekday, digestHour } = form.getValues()
  const written = (at: number, options: Intl.DateTimeFormatOptions) =>
    dateFormat(locale, { timeZone: 'UTC', ...options }).format(at)
  const days = [1, 2, 3, 4, 5, 6, 7].map((day) => ({
    value: String(day),
    label: written(MONDAY + (day - 1) * 24 * HOUR_MS, { weekday: 'long' }),
  }))
  const hours = HOURS.map((hour) => ({
    value: String(hour),
    label: written(MONDAY + hour * HOUR_MS, { hour: '2-digit', minute: '2-digit' }),
  }))
  return (
    <Section title={t('digests.title')} lead={t('digests.lead')}>
      {digests && <NextDigests />}
      <SettingsForm form={settings}>
        <Switch
          label={t('digests.offer')}
          description={t('digests.offerHint')}
          {...form.getInputProps('digests', { type: 'checkbox' })}
        />
        <Select
          label={t('digests.weekday')}
          description={t('digests.weekdayHint')}
          allowDeselect={false}
          data={days}
          value={String(digestWeekday)}
          onChange={(day) => form.setValues({ digestWeekday: Number(day) })}
        />
        <Select
          label={t('digests.hour')}
          description={t('digests.hourHint', { timezone: todaysName(timezone) })}
          allowDeselect={false}
          data={hours}
          value={String(digestHour)}
          onChange={(hour) => form.setValues({ digestHour: Number(hour) })}
        />
      </SettingsForm>
    </Section>
  )
}

function NextDigests() {
  const { t } = useTranslation()
  const format = useFormat()
  const { id, timezone, digestHour, digestWeekday } = useNewsletter()
  const query = useQuery(digestsQuery({ id, timezone, digestHour, digestWeekday }))
  const moment = dateFormat(format.locale, {
    ...{ weekday: 'long', day: 'numeric', month: 'long', hour: '2-digit', minute: '2-digit' },
    timeZone: timezone,
  })
  return (
    <QueryContent query={query}>
      {(next) => (
        <dl className={classes.next}>
          {next.map(({ pace, at, subscribers, away, waiting }) => (
            <div key={pace}>
              <dt>{t(`digests.next.${pace}`)}</dt>
              <dd>
                <b>{moment.format(new Date(at))}</b>
                <small>
                  {subscribers === 0
                    ? t('digests.nobody')
                    : [
                        t('digests.to', { count: subscribers, n: format.number(subscribers) }),
                        away > 0 &&
                          t(away === subscribers ? 'digests.awayAll' : 'digests.away', { n: format.number(away) }),
                        away < subscribers &&
                          (waiting === 0
                            ? t('digests.nothingYet', { count: subscribers })
                            : waiting === subscribers
                              ? t('digests.waitsForAll', { count: waiting })
                              : t('digests.waits', { count: waiting, n: format.number(waiting) })),
                      ]
                        .filter(Boolean)
                        .join(', ')}
                </small>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </QueryContent>
  )
}
