import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Dates } from '../../charge/figures/range-choice.ts'
import { DateField } from '../../ui/date-field.tsx'
import classes from './dashboard.module.css'
import { type Choice, faultOf, presets, usualPreset } from './range-choice.ts'

interface Props {
  choice: Choice
  /** The days that are on the screen, once they are known. */
  shown: Dates | undefined
  onChoice: (choice: Choice) => void
}

/** Chooses the days that the dashboard is about. Days that are typed are passed on once they are a range. */
export function RangeControl({ choice, shown, onChoice }: Props) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState(choice.dates)
  const fault = faultOf(typed)
  return (
    <div>
      <SegmentedControl
        aria-label={t('dashboard.period')}
        value={choice.preset}
        onChange={(value) => {
          const dates = (choice.preset === 'all' && shown) || choice.dates
          setTyped(dates)
          onChoice({ dates, preset: presets.find((preset) => preset === value) ?? usualPreset })
        }}
        data={presets.map((value) => ({ value, label: t(`dashboard.span.${value}`) }))}
      />
      {choice.preset === 'dates' && (
        <div className={classes.dates}>
          {(['from', 'to'] as const).map((end) => (
            <DateField
              key={end}
              size="xs"
              label={t(`dashboard.${end}`)}
              value={typed[end]}
              error={end === 'to' && fault && t(`dashboard.${fault}`)}
              onChange={({ currentTarget }) => {
                const dates = { ...typed, [end]: currentTarget.value }
                setTyped(dates)
                if (faultOf(dates) === null) onChoice({ preset: 'dates', dates })
              }}
            />
          ))}
        </div>
      )}
    </div>
  )
}
