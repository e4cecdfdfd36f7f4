import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { createPublication } from '../../server/publications/contract.ts'
import { call } from '../api.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { useErrorText } from '../ui/error-notice.tsx'

/** Creates a draft in the open newsletter, empty or with this content, and opens it in the editor. */
export function useNewPublication() {
  const newsletter = useNewsletter()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const errorText = useErrorText()
  return useMutation({
    mutationFn: (content: { type: 'doc'; content: object[] } | undefined) =>
      call(createPublication, { params: { newsletterId: newsletter.id }, body: content ? { content } : {} }),
    onSuccess: ({ id }) => {
      void queries.invalidateQueries({ queryKey: [newsletter.id, 'publications'] })
      return navigate(`/publish/create/${id}`)
    },
    onError: (error) => notifications.show({ message: errorText(error), color: 'rouge' }),
  })
}
