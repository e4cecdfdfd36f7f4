import { useQueryClient } from '@tanstack/react-query'
import { useNewsletter } from '../shell/newsletter.tsx'

/** Forgets what is known of tags, fields and who has them. */
export function useLabelsRefresh() {
  const { id } = useNewsletter()
  const queries = useQueryClient()
  return async () => {
    await queries.invalidateQueries({ queryKey: [id, 'segments'] })
    await queries.invalidateQueries({ queryKey: [id, 'subscribers', 'one'] })
  }
}
