import { useTranslation } from 'react-i18next'

/** Names where a subscriber came from. An import keeps what another program called it, and that is shown as it is. */
export function useSourceName(): (source: string) => string {
  const { t } = useTranslation()
  return (source) => t(`subscribers.sources.${source}` as 'subscribers.sources.page', { defaultValue: source })
}
