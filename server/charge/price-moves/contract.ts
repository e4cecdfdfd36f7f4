import { z } from 'zod'
import { endpoint, Newsletter } from '../../http/endpoint.ts'
import { Currency } from '../currency.ts'
import { currencies } from '../money.ts'

const Id = z.coerce.number().int().min(1).max(2_147_483_647)
const OnePlan = Newsletter.extend({ planId: Id })
const When = z.iso.datetime()

/** Why somebody is not moved. `changed`: they have another plan or price by now; `failing`: their last payment did. */
export const LeftOut = z.enum(['cancelled', 'changed', 'paused', 'failing', 'coupon', 'no_mail', 'refused'])
export type LeftOut = z.infer<typeof LeftOut>

const LeftOutCount = z.object({ reason: LeftOut, subscribers: z.int() })

/** Those who pay one sum now and would pay another. */
const Group = z.object({
  /** The price that they would be moved to. */
  priceId: z.int(),
  currency: Currency,
  period: z.enum(['month', 'year']),
  /** Of one period, in the smallest unit. */
  from: z.int(),
  to: z.int(),
  subscribers: z.int(),
  /** Of an increase: the first payments at the new price, of whom it comes first and last. Null of a decrease: the next payment of each. */
  firstAt: When.nullable(),
  lastAt: When.nullable(),
})
export type MoveGroup = z.infer<typeof Group>

export const PriceMove = z.object({
  id: z.uuid(),
  test: z.boolean(),
  startedAt: When,
  stoppedAt: When.nullable(),
  doneAt: When.nullable(),
  /** Who is still to be told or moved. */
  waiting: z.int(),
  /** Told of the new price, and not moved yet. */
  noticed: z.int(),
  moved: z.int(),
  /** Told of it when the move was stopped; they were told that they keep theirs. */
  kept: z.int(),
  leftOut: z.array(LeftOutCount),
})
export type PriceMove = z.infer<typeof PriceMove>

export const listPriceMoves = endpoint('GET /api/newsletters/:newsletterId/charge/plans/:planId/price-moves', {
  permission: 'charge.read',
  cost: 'search',
  summary:
    'Who pays a price by card that is not offered any more, what each would pay and from when; and the last moves, newest first',
  params: OnePlan,
  reply: z.object({ groups: z.array(Group), leftOut: z.array(LeftOutCount), moves: z.array(PriceMove) }),
  errors: ['plan_not_found'],
})

export const startPriceMove = endpoint('POST /api/newsletters/:newsletterId/charge/plans/:planId/price-moves', {
  permission: 'charge.manage',
  cost: 'write',
  summary:
    'Move those who pay a former price by card to prices that are offered. Who pays more then is told at least 30 days before, and is left alone once they cancel',
  params: OnePlan,
  body: z.object({
    priceIds: z
      .array(z.int().min(1).max(2_147_483_647))
      .min(1)
      .max(currencies.length * 2),
    /** How many there were when it was decided: it stops what somebody else has changed meanwhile. */
    seen: z.int().min(1),
  }),
  audit: { act: 'price_move_started', keeps: ['seen'] },
  reply: PriceMove,
  errors: ['plan_not_found', 'price_not_found', 'stripe_not_connected', 'price_move_under_way', 'price_move_changed'],
})

export const stopPriceMove = endpoint('POST /api/newsletters/:newsletterId/charge/price-moves/:moveId/stop', {
  permission: 'charge.manage',
  summary: 'Stop a move: nobody else is moved, and who was told of the new price is told that they keep theirs',
  params: Newsletter.extend({ moveId: z.string().max(40) }),
  audit: { act: 'price_move_stopped' },
  reply: PriceMove,
  errors: ['price_move_not_found'],
})
