import { useTranslation } from 'react-i18next'
import { usePlanChoices } from '../../charge/plan-choices.ts'

/** As whom a publication can be looked at: who pays, who does not, and who has one of the plans. */
export function useReaderChoices(): { value: string; label: string }[] {
  const { t } = useTranslation()
  const plans = usePlanChoices()
  return [
    ...(['paid', 'free'] as const).map((value) => ({ value, label: t(`publish.preview.readers.${value}`) })),
    ...plans.map(({ value, label }) => ({ value, label: t('publish.preview.readers.plan', { plan: label }) })),
  ]
}

/** A choice as the server has it: a plan by its id. */
export const readerOf = (value: string): 'paid' | 'free' | number =>
  value === 'paid' || value === 'free' ? value : Number(value)
