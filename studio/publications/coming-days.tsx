import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../format.ts'
import classes from './publications.module.css'
import type { PublicationSlots } from './queries.ts'

interface Props {
  coming: PublicationSlots['slots'][number]['coming']
  /** Null where nobody may. */
  plan: ((day: string) => void) | null
}

/** The next days that are sold in a placement, each with who bought it and a button that plans the publication for it. */
export function ComingDays({ coming, plan }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  if (coming.length === 0) return null
  return (
    <div className={classes.coming}>
      <p>{t('publish.slot.coming')}</p>
      <ul>
        {coming.map(({ day: sold, sponsors }) => {
          const day = format.calendarDayOfYear(sold)
          return (
            <li key={sold}>
              <span>{t('publish.slot.soldTo', { day, sponsors: sponsors.join(', ') })}</span>
              {plan && (
                <Button size="compact-xs" onClick={() => plan(sold)}>
                  {t('publish.slot.plan', { day })}
                </Button>
              )}
            </li>
          )
        })}
      </ul>
    </div>
  )
}
