import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { dateFormat } from '../../../server/languages.ts'
import { useFormat } from '../../format.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { DateField } from '../../ui/date-field.tsx'
import { todaysName } from '../../ui/timezones.ts'
import type { SendTime, WallTime } from '../../wall-clock.ts'
import classes from './send.module.css'

export interface SendChoice {
  kind: 'now' | 'at' | 'web'
  /** The local time in the newsletter's timezone. */
  wall: WallTime
}

interface Props {
  choice: SendChoice
  change: (choice: SendChoice) => void
  moment: SendTime | null
  /** How many get a copy; null: it is not known who. */
  receive: number | null
}

/** Whether a day is of a time for which nothing is scheduled any more. */
export const isTooFar = ({ date }: WallTime): boolean => date >= '2100'

/** Chooses when to send: now, at a local time in the newsletter's timezone, or not by mail but on the web only. */
export function WhenField({ choice, change, moment, receive }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const { timezone } = useNewsletter()
  const name = useId()
  const texts = {
    now: receive === null ? '' : t('publish.when.nowText', { count: receive, n: format.number(receive) }),
    at: t('publish.when.atText', { timezone: todaysName(timezone) }),
    web: t('publish.when.webText'),
  }
  return (
    <fieldset className={classes.when}>
      <legend>{t('publish.when.title')}</legend>
      <div className={classes.choices}>
        {(['now', 'at', 'web'] as const).map((kind) => (
          <label key={kind}>
            <input
              type="radio"
              name={name}
              checked={choice.kind === kind}
              onChange={() => change({ ...choice, kind })}
            />
            <span>
              <b>{t(`publish.when.${kind}`)}</b>
              <small>{texts[kind]}</small>
            </span>
          </label>
        ))}
      </div>
      {choice.kind === 'at' && <DateAndTime choice={choice} change={change} moment={moment} />}
    </fieldset>
  )
}

function DateAndTime({ choice, change, moment }: Omit<Props, 'receive'>) {
  const { t } = useTranslation()
  const format = useFormat()
  const { timezone } = useNewsletter()
  const set = (part: Partial<WallTime>) => change({ ...choice, wall: { ...choice.wall, ...part } })
  const past = moment !== null && moment.instant.getTime() <= Date.now()
  const long = dateFormat(format.locale, { dateStyle: 'full', timeStyle: 'short', timeZone: timezone })
  return (
    <>
      <div className={classes.dateAndTime}>
        <DateField
          label={t('publish.when.date')}
          value={choice.wall.date}
          onChange={(event) => set({ date: event.currentTarget.value })}
          error={past ? t('errors.scheduled_in_past') : null}
        />
        <DateField
          type="time"
          label={t('publish.when.time')}
          value={choice.wall.time}
          onChange={(event) => set({ time: event.currentTarget.value })}
        />
      </div>
      <p className={classes.sendTime} aria-live="polite">
        {moment
          ? `${long.format(moment.instant)}, ${todaysName(timezone)}.`
          : t(isTooFar(choice.wall) ? 'publish.when.later' : 'publish.when.incomplete')}{' '}
        {moment && moment.note !== 'exact' && t(`publish.when.${moment.note}`)}
      </p>
    </>
  )
}
