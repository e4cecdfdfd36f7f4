import { createContext, lazy, type ReactNode, Suspense, useCallback, useContext, useState } from 'react'
import { ApiError } from '../api.ts'
import { withSentences } from '../language.ts'

/** Downloaded when a proof is first asked for. */
const ProofDialog = lazy(async () => ({
  default: await withSentences(() => import('./proof-dialog.tsx'), 'ProofDialog'),
}))

type WithProof = <T>(act: () => Promise<T>) => Promise<T>

const ProofContext = createContext<WithProof | null>(null)

/**
 * Returns a function that does an act, and when the server wants a fresh proof first, asks for it and does the act again. Without a
 * proof the server's refusal is thrown.
 */
export function useProof(): WithProof {
  const withProof = useContext(ProofContext)
  if (!withProof) throw new Error('useProof outside ProofProvider')
  return withProof
}

/** Has the one dialog in which people prove that it is them. */
export function ProofProvider({ children }: { children: ReactNode }) {
  const [asking, setAsking] = useState<PromiseWithResolvers<boolean> | null>(null)
  const withProof = useCallback<WithProof>(async (act) => {
    try {
      return await act()
    } catch (refusal) {
      if (!(refusal instanceof ApiError) || refusal.code !== 'proof_needed') throw refusal
      const asked = Promise.withResolvers<boolean>()
      setAsking(asked)
      const proven = await asked.promise
      setAsking(null)
      if (!proven) throw refusal
      return act()
    }
  }, [])
  return (
    <ProofContext value={withProof}>
      {children}
      <Suspense>{asking && <ProofDialog onDone={asking.resolve} />}</Suspense>
    </ProofContext>
  )
}
