import { useTranslation } from 'react-i18next'

/** The words for a rule that excludes clicks; also for one of a version of Tirage that is no longer, or not yet, here. */
export function useRuleWords(): (rule: string) => { name: string; text: string } {
  const { t } = useTranslation()
  return (rule) => ({
    name: t(`links.rules.${rule as 'bot'}.name`, t('links.rules.other.name', { rule })),
    text: t(`links.rules.${rule as 'bot'}.text`, t('links.rules.other.text')),
  })
}
