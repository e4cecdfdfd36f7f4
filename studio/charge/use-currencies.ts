import { useQuery } from '@tanstack/react-query'
import { type Currency, currenciesFrom } from '../../server/charge/money.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { plansQuery } from './queries.ts'

/** All currencies, those of the newsletter's plans first. */
export function useCurrencies(): Currency[] {
  const { id, currency } = useNewsletter()
  const { data } = useQuery(plansQuery(id))
  return currenciesFrom(currency, data?.plans.flatMap(({ prices }) => prices.map((price) => price.currency)) ?? [])
}
