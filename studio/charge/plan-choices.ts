import { queryOptions, useQuery } from '@tanstack/react-query'
import { listPlans } from '../../server/charge/plans/contract.ts'
import { call } from '../api.ts'
import { useLanguage } from '../language.ts'
import { useNewsletter } from '../shell/newsletter.tsx'

const paidPlansQuery = (newsletterId: string) =>
  queryOptions({
    queryKey: [newsletterId, 'charge', 'paid-plans'],
    queryFn: () => call(listPlans, { params: { newsletterId } }),
    select: ({ plans }) => plans.filter(({ kind }) => kind === 'paid'),
  })

/** The paid plans of the open newsletter, those that are closed too: people have them. Their names in the reader's language, else in one that they have. */
export function usePlanChoices(): { value: string; label: string }[] {
  const language = useLanguage()
  const { data = [] } = useQuery(paidPlansQuery(useNewsletter().id))
  return data.map(({ id, words }) => ({
    value: String(id),
    label: (words[language] ?? Object.values(words)[0])?.name ?? String(id),
  }))
}
