import { useQuery } from '@tanstack/react-query'
import { type Currency, currenciesFrom } from '../../server/charge/money.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { placementsQuery } from './queries.ts'

/** All currencies, those of the newsletter's placements first. */
export function useCurrencies(): Currency[] {
  const { id, currency } = useNewsletter()
  const { data } = useQuery(placementsQuery(id))
  return currenciesFrom(currency, data?.placements.flatMap(({ prices }) => Object.keys(prices)) ?? [])
}
