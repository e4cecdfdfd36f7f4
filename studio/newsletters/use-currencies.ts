import { useQuery } from '@tanstack/react-query'
import { type Currency, currenciesFrom } from '../../server/charge/money.ts'
import { plansQuery } from '../charge/queries.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { placementsQuery } from '../sponsorship/queries.ts'

/** All currencies, those of the newsletter's plans, or of its placements, first. */
export function useCurrencies(of: 'plans' | 'placements'): Currency[] {
  const { id, currency } = useNewsletter()
  const { data: sold } = useQuery({ ...plansQuery(id), enabled: of === 'plans' })
  const { data: offered } = useQuery({ ...placementsQuery(id), enabled: of === 'placements' })
  const used =
    of === 'plans'
      ? sold?.plans.flatMap(({ prices }) => prices.map((price) => price.currency))
      : offered?.placements.flatMap(({ prices }) => Object.keys(prices))
  return currenciesFrom(currency, used ?? [])
}
