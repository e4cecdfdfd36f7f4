import type { z } from 'zod'
import type { Db } from '../database/client.ts'
import { countNamed, countNamedAmong } from '../subscribers/audience.ts'
import { countByStatus } from '../subscribers/subscriber-count.ts'
import type { countSegment as endpoint } from './contract.ts'
import { estimateOf } from './estimate.ts'
import type { Filter } from './filter/contract.ts'

/** Newsletters up to this size are counted to the last subscriber: a sixteenth of them is what would be drawn. */
const COUNTED_EXACTLY = 64_000
const DRAWN = 2_500
/** With fewer among those who were drawn, an estimate says little. */
const FEW = 40

type Count = z.input<typeof endpoint.reply>

/**
 * How many subscribers fit a filter now. Of a large newsletter it is estimated, unless `exactly` is asked for or few fit:
 * counting asks every subscriber what they did.
 */
export async function countSegment(
  db: Db,
  newsletterId: string,
  { filter, exactly }: { filter: Filter; exactly: boolean },
): Promise<Count> {
  const audience = { kind: 'segment', filter } as const
  const total = exactly ? 0 : await countByStatus(db, newsletterId, undefined)
  if (total > COUNTED_EXACTLY) {
    const { drawn, ...found } = await countNamedAmong(db, { newsletterId, audience, most: DRAWN })
    if (found.subscribers >= FEW) return estimateOf(found, { drawn, total })
  }
  return { ...(await countNamed(db, newsletterId, audience)), margin: null }
}

/** Beyond so many margins an estimate is wrong once in a million times. */
const CERTAIN = 2.5

/** Whether more than so many subscribers of a large newsletter fit a filter, as those who were drawn show. False: it has to be counted. */
export async function fitsMoreThan(
  db: Db,
  newsletterId: string,
  { filter, most }: { filter: Filter; most: number },
): Promise<boolean> {
  const total = await countByStatus(db, newsletterId, undefined)
  if (total <= COUNTED_EXACTLY) return false
  const audience = { kind: 'segment', filter } as const
  const { drawn, ...found } = await countNamedAmong(db, { newsletterId, audience, most: DRAWN })
  if (found.subscribers < FEW) return false
  const { subscribers, margin } = estimateOf(found, { drawn, total })
  return subscribers - CERTAIN * margin > most
}
