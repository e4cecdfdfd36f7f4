import { Radio } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { locales } from '../../../server/languages.ts'
import { type DayOrder, dayOrders } from '../../../server/subscribers/import/contract.ts'
import { useFormat } from '../../format.ts'
import { currentLanguage } from '../../language.ts'
import classes from './import.module.css'

interface Props {
  /** A day of the file, such as 03/04/2025. */
  day: string
  value: DayOrder
  onChange: (order: DayOrder) => void
}

/** Asks which comes first, the day or the month, by what a day of the file becomes. */
export function DayOrderField({ day, value, onChange }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <Radio.Group
      className={classes.days}
      label={t('imports.columns.days.label', { cell: day })}
      description={t('imports.columns.days.hint')}
      value={value}
      onChange={onChange}
    >
      {dayOrders.map((order) => (
        <Radio
          key={order}
          value={order}
          mt="xs"
          label={t(`imports.columns.days.${order}`, { day: format.calendarDayInWords(dayIn(day, order)) })}
        />
      ))}
    </Radio.Group>
  )
}

/** As the API writes days. */
function dayIn(cell: string, order: DayOrder): string {
  const [one = '', other = '', year] = cell.match(/\d+/g) ?? []
  const [day, month] = order === 'day_first' ? [one, other] : [other, one]
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}

/** As the owner writes days: in the language on screen, and where the browser names a country that speaks it, as there. */
export function usualDayOrder(): DayOrder {
  const language = currentLanguage()
  const locale = navigator.languages.find((tag) => tag.startsWith(`${language}-`)) ?? locales[language]
  const parts = new Intl.DateTimeFormat(locale).formatToParts().map(({ type }) => type)
  return parts.indexOf('month') < parts.indexOf('day') ? 'month_first' : 'day_first'
}
