import { queryOptions } from '@tanstack/react-query'
import { listDigests } from '../../server/digests/contract.ts'
import { call } from '../api.ts'

interface Timed {
  id: string
  timezone: string
  digestHour: number
  digestWeekday: number
}

/** Its key has the settings by which the moments change. */
export const digestsQuery = ({ id, timezone, digestHour, digestWeekday }: Timed) =>
  queryOptions({
    queryKey: [id, 'subscribers', 'digests', timezone, digestHour, digestWeekday],
    queryFn: async () => (await call(listDigests, { params: { newsletterId: id } })).digests,
  })
