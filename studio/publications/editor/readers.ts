import { useTranslation } from 'react-i18next'
import type { PublicationDocument } from '../../../server/publications/document/schema.ts'
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

/** Who reads more of it: those who pay, unless only sponsors are hidden from somebody. */
export function readsMore({ content = [] }: PublicationDocument): 'free' | 'paid' {
  const types = content.filter(({ attrs }) => attrs?.for !== 'web' && attrs?.for !== 'email').map(({ type }) => type)
  return types.includes('sponsorSlot') && !types.includes('paywall') && !types.includes('onlyFor') ? 'free' : 'paid'
}
