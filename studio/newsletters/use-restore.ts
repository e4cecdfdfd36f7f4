import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { studioPaths } from '../../server/http/studio-paths.ts'
import { restoreNewsletter } from '../../server/newsletters/contract.ts'
import { call } from '../api.ts'
import { newslettersQuery, rememberNewsletter } from '../shell/newsletter.tsx'

/** The id of the notice that says that a newsletter was deleted. */
export const deletedNotice = (newsletterId: string): string => `deleted ${newsletterId}`

/** Brings a deleted newsletter back and leads to it, in place of the notice that says that it was deleted. @throws ApiError newsletter_not_found */
export function useRestore(): (newsletterId: string) => Promise<void> {
  const queries = useQueryClient()
  const navigate = useNavigate()
  return async (newsletterId) => {
    await call(restoreNewsletter, { body: { newsletterId } })
    notifications.hide(deletedNotice(newsletterId))
    rememberNewsletter(newsletterId)
    await queries.refetchQueries(newslettersQuery)
    await navigate(studioPaths.dashboard)
  }
}
