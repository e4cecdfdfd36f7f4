import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import type { z } from 'zod'
import {
  type cancelImport,
  getImport,
  type Import,
  listImports,
  previewTakeBack,
  type startImport,
  takeBackImport,
} from '../../../server/subscribers/import/contract.ts'
import { call } from '../../api.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'

export type ShownImport = z.output<typeof Import>
export type WholeImport = z.output<typeof getImport.reply>

/** Whether the server is at work on it. */
export const isUnderWay = ({ state }: Pick<ShownImport, 'state'>): boolean =>
  ['checking', 'importing', 'finishing', 'cancelling', 'taking_back'].includes(state)

/** Live events tell of each batch; this is for when they do not come through. */
const pollMs = (one: ShownImport | undefined) => (one && isUnderWay(one) ? 5_000 : false)

export const importsQuery = (newsletterId: string, enabled = true) =>
  queryOptions({
    queryKey: [newsletterId, 'imports', 'list'],
    queryFn: async () => (await call(listImports, { params: { newsletterId } })).imports,
    refetchInterval: ({ state }) => pollMs(state.data?.find(isUnderWay)),
    enabled,
  })

export const importQuery = (newsletterId: string, importId: string) =>
  queryOptions({
    queryKey: [newsletterId, 'imports', 'one', importId],
    queryFn: () => call(getImport, { params: { newsletterId, importId } }),
    refetchInterval: ({ state }) => pollMs(state.data),
  })

/** An act on one import, after which everything that shows imports is read anew. */
export function useImportAct(endpoint: typeof startImport | typeof cancelImport) {
  const { id } = useNewsletter()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (importId: string) => call(endpoint, { params: { newsletterId: id, importId } }),
    onSettled: () => queries.invalidateQueries({ queryKey: [id, 'imports'] }),
  })
}

/** What taking an import back would do now. Not among what an act on it renews: once it is taken back nothing answers that any more. */
export const takeBackQuery = (newsletterId: string, importId: string, enabled: boolean) =>
  queryOptions({
    queryKey: [newsletterId, 'take-back', importId],
    queryFn: async () => (await call(previewTakeBack, { params: { newsletterId, importId } })).takenBack,
    staleTime: 0,
    enabled,
  })

/** Takes an import back, with or without those whom its file says have left. */
export function useTakeBack(importId: string) {
  const { id } = useNewsletter()
  const queries = useQueryClient()
  return async (keepLeft: boolean) => {
    await call(takeBackImport, { params: { newsletterId: id, importId }, body: { keepLeft } })
    await queries.invalidateQueries({ queryKey: [id, 'imports'] })
  }
}

/** Opens the page of an import. */
export function useOpenImport() {
  const navigate = useNavigate()
  return (importId: string) => void navigate(`/subscribers/import/${importId}`)
}
