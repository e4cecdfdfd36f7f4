import { Alert, Radio } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { HeldPlan } from '../../../server/charge/outside/contract.ts'
import { useFormat } from '../../format.ts'

type IfHeld = 'refuse' | 'behind' | 'beside'

interface Props {
  held: HeldPlan
  email: string
  /** Its name. */
  plan: string
  value: IfHeld
  onChange: (value: Exclude<IfHeld, 'refuse'>) => void
}

/** It comes below a form that is longer than many windows. */
const bringIntoView = (question: HTMLElement | null) => question?.scrollIntoView({ block: 'nearest' })

/** Says that somebody has the plan already, and until when, and asks where the new time goes. */
export function HeldChoice({ held, email, plan, value, onChange }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const said = { email, plan, date: format.dayOfYear(held.until) }
  return (
    <Alert color="ocre" role="alert" ref={bringIntoView}>
      <Radio.Group
        label={t(held.until ? 'plans.enter.held' : 'plans.enter.heldForGood', said)}
        value={value}
        onChange={(choice) => onChange(choice === 'behind' ? 'behind' : 'beside')}
      >
        {held.canGoOn && (
          <Radio
            value="behind"
            label={t('plans.enter.behind')}
            description={t('plans.enter.behindHint', said)}
            mt="sm"
          />
        )}
        <Radio value="beside" label={t('plans.enter.beside')} description={t('plans.enter.besideHint')} mt="sm" />
      </Radio.Group>
    </Alert>
  )
}
