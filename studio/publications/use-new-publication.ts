import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { studioPaths } from '../../server/http/studio-paths.ts'
import { createPublication } from '../../server/publications/contract.ts'
import { call } from '../api.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { isToBegin, toBegin } from '../shell/way-back.ts'
import { useErrorToast } from '../ui/error-toast.tsx'
import { hasUnsaved } from '../ui/unsaved.tsx'

interface Beginning {
  content: { type: 'doc'; content: object[] }
  /** For which it is written, as `2026-11-23`. */
  day: string
}

/**
 * Creates a draft in the open newsletter, empty or with this content for a day, and opens it in the editor. Whoever has not saved what they typed
 * is asked first, and the page of publications creates it once they leave: else an empty draft would be left of those who stay.
 */
export function useNewPublication() {
  const newsletter = useNewsletter()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const showError = useErrorToast()
  const creating = useMutation({
    mutationFn: (beginning: Beginning | undefined) =>
      call(createPublication, {
        params: { newsletterId: newsletter.id },
        body: beginning ?? {},
      }),
    onSuccess: ({ id }) => {
      void queries.invalidateQueries({ queryKey: [newsletter.id, 'publications'] })
      return navigate(`/publish/create/${id}`)
    },
    onError: showError,
  })
  const mutate = (beginning?: Beginning) =>
    hasUnsaved() ? void navigate(studioPaths.publish, { state: { ...toBegin, beginning } }) : creating.mutate(beginning)
  return { ...creating, mutate }
}

/** On the page of publications: creates the draft for which somebody was led there. To go back there later creates none. */
export function useAskedPublication({ mutate }: Pick<ReturnType<typeof useNewPublication>, 'mutate'>): void {
  const { state } = useLocation()
  const navigate = useNavigate()
  const asked = useRef(isToBegin(state) ? state : null)
  useEffect(() => {
    if (!asked.current) return
    const { beginning } = asked.current as { beginning?: Beginning }
    asked.current = null
    void navigate(studioPaths.publish, { replace: true })
    mutate(beginning)
  }, [navigate, mutate])
}
