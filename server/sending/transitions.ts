import type { Selectable } from 'kysely'
import type { Delivery, Sending } from '../database/types.ts'

/** Everything that may happen to the states of a sending and of a delivery, as values: no clock, no database. */
export type SendingState = Selectable<Sending>['state']
export type DeliveryState = Selectable<Delivery>['state']

/** The states of a sending from which an act is possible, and where it leads. */
export const sendingActs = {
  begin: { from: ['planned'], to: 'sending' },
  pause: { from: ['sending'], to: 'paused' },
  resume: { from: ['paused'], to: 'sending' },
  cancel: { from: ['sending', 'paused'], to: 'cancelled' },
  finish: { from: ['sending'], to: 'sent' },
  reopen: { from: ['sent'], to: 'sending' },
} as const satisfies Record<string, { from: readonly SendingState[]; to: SendingState }>

export type SendingAct = keyof typeof sendingActs

/** The states of a delivery from which an act is possible, and where it may lead. */
export const deliveryActs = {
  // What a worker has claimed stays queued until its answer; the claim itself says whose it is.
  claim: { from: ['queued', 'deferred'], to: ['queued', 'suppressed'] },
  // An answer that comes after the claim was given up as uncertain still counts.
  answer: {
    from: ['queued', 'uncertain'],
    to: ['accepted', 'caught', 'deferred', 'failed', 'uncertain', 'queued', 'suppressed'],
  },
  expire: { from: ['queued'], to: ['uncertain'] },
  resend: { from: ['uncertain', 'failed', 'deferred'], to: ['queued'] },
  // The refusals before an abnormal stop say nothing about subscribers.
  takeBack: { from: ['failed', 'deferred'], to: ['queued'] },
  // Something that only its reader can do shows that the copy arrived.
  prove: { from: ['uncertain'], to: ['accepted'] },
  close: { from: ['uncertain'], to: ['failed'] },
  leaveOut: { from: ['queued', 'deferred'], to: ['suppressed'] },
} as const satisfies Record<string, { from: readonly DeliveryState[]; to: readonly DeliveryState[] }>

export type DeliveryAct = keyof typeof deliveryActs
