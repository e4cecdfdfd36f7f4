import { queryOptions } from '@tanstack/react-query'
import { showInvitation } from '../../server/newsletters/contract.ts'
import { call } from '../api.ts'

export const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: ['invitation', token],
    queryFn: () => call(showInvitation, { params: { token } }),
    retry: false,
  })
