import { listProviders } from '../../server/identity/contract.ts'
import { call } from '../api.ts'

/** The sign-in methods of this instance, and whether mail is caught because no relay is set. */
export const signInOptionsQuery = {
  queryKey: ['providers'],
  queryFn: () => call(listProviders, {}),
  staleTime: 300_000,
}
