import type { PublicationSummary } from './queries.ts'

type Placed = Pick<PublicationSummary, 'id' | 'status'> & Partial<Pick<PublicationSummary, 'takeBackSeconds'>>

/** A draft or a scheduled publication opens in the editor, any other, and one that is about to leave, opens its results. */
export const addressFor = ({ id, status, takeBackSeconds = null }: Placed): string =>
  takeBackSeconds === null && (status === 'draft' || status === 'scheduled')
    ? `/publish/create/${id}`
    : `/publish/${id}`
