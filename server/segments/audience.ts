import type { Db } from '../database/client.ts'
import type { SendingAudience } from '../subscribers/audience.ts'
import type { AudienceChoice } from './contract.ts'
import { findSegment } from './segments.ts'

/** The audience that was chosen, with the filter of its segment as it is now. The segment stays until the transaction ends. @throws AppError segment_not_found */
export async function audienceOf(db: Db, newsletterId: string, choice: AudienceChoice): Promise<SendingAudience> {
  if (choice.kind === 'everyone') return { kind: 'everyone' }
  const { segmentId } = choice
  const { name, filter } = await findSegment(db, { newsletterId, segmentId }, 'lock')
  return { kind: 'segment', segmentId, name, filter }
}
