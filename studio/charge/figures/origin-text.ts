import type { TFunction } from 'i18next'
import { knownCode } from '../../known-code.ts'

/** What a server of ours writes as the source of a sale. */
export const ownOrigins = ['plans', 'paywall', 'gift', 'sponsor'] as const

/** Where a sale came from: the name of a page of ours, or what the owner wrote into an address. */
export function originText(t: TFunction, origin: string | null): string {
  const own = knownCode(ownOrigins, origin)
  return own ? t(`figures.origins.${own}`) : (origin ?? t('figures.unknown'))
}
