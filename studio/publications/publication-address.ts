import { generatePath } from 'react-router'
import { studioPaths } from '../../server/http/studio-paths.ts'
import type { PublicationSummary } from './queries.ts'

type Placed = Pick<PublicationSummary, 'id' | 'status'> & Partial<Pick<PublicationSummary, 'takeBackSeconds'>>

/** A draft or a scheduled publication opens in the editor, any other, and one that is about to leave, opens its results. */
export const addressFor = ({ id, status, takeBackSeconds = null }: Placed): string =>
  takeBackSeconds === null && (status === 'draft' || status === 'scheduled')
    ? `/publish/create/${id}`
    : `/publish/${id}`

/** The parameter that chooses a day in pre-flight. */
export const PLANNED_DAY = 'day'

/** Pre-flight with a day chosen, as `2026-11-23`. */
export const sendPathFor = (publicationId: string, day: string): string =>
  `${generatePath(studioPaths.send, { publicationId })}?${new URLSearchParams({ [PLANNED_DAY]: day })}`
