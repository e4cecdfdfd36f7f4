import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { knownCode } from '../known-code.ts'

/** What a server of ours writes as the source of a subscriber, in older versions too. */
export const ownSources = [
  'page',
  'hand',
  'by_hand',
  'by-hand',
  'api',
  'import',
  'seed',
  'recommendation',
  'campaign',
  'gift',
  'confirmation',
] as const

/** Names where a subscriber came from. An import keeps what another program called it, and that is shown as it is. */
export function useSourceName(): (source: string) => string {
  const { t } = useTranslation()
  return (source) => sourceName(t, source)
}

export function sourceName(t: TFunction, source: string): string {
  const own = knownCode(ownSources, source)
  return own ? t(`subscribers.sources.${own}`) : source
}
