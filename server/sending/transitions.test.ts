import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type DeliveryAct,
  type DeliveryState,
  deliveryActs,
  type SendingAct,
  type SendingState,
  sendingActs,
} from './transitions.ts'

const after = (act: SendingAct, state: SendingState): SendingState | null =>
  sendingActs[act].from.some((from) => from === state) ? sendingActs[act].to : null

test.each([
  ['planned', 'begin', 'sending'],
  ['sending', 'pause', 'paused'],
  ['paused', 'resume', 'sending'],
  ['paused', 'cancel', 'cancelled'],
  ['sending', 'cancel', 'cancelled'],
  ['sending', 'finish', 'sent'],
  ['sent', 'reopen', 'sending'],
  ['cancelled', 'resume', null],
  ['cancelled', 'reopen', null],
  ['sent', 'begin', null],
  ['planned', 'pause', null],
] as const)('a sending that is %s, %s: %s', (state, act, target) => {
  expect(after(act, state)).toBe(target)
})

test('a sending that was begun is never planned again, and a cancelled one stays cancelled', () => {
  const acts = Object.keys(sendingActs) as SendingAct[]
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...acts), { maxLength: 30 }), (happened) => {
      let state = 'planned' as SendingState
      for (const act of happened) {
        const next: SendingState = after(act, state) ?? state
        if (state !== 'planned') expect(next).not.toBe('planned')
        if (state === 'cancelled') expect(next).toBe('cancelled')
        state = next
      }
    }),
  )
})

test('an accepted delivery is never sent again: no act starts from its state', () => {
  const final: DeliveryState[] = ['accepted', 'suppressed']
  for (const act of Object.keys(deliveryActs) as DeliveryAct[])
    for (const state of deliveryActs[act].from) expect(final).not.toContain(state)
})

test('a refused delivery is sent again only when its owner asks for it, or after an abnormal stop', () => {
  const from = (Object.keys(deliveryActs) as DeliveryAct[]).filter((act) =>
    deliveryActs[act].from.some((state) => state === 'failed'),
  )
  expect(from).toEqual(['resend', 'takeBack'])
})

test('an uncertain delivery goes back to the queue only by an answer of its worker or a decision of its owner', () => {
  const back = (Object.keys(deliveryActs) as DeliveryAct[]).filter(
    (act) =>
      deliveryActs[act].from.some((state) => state === 'uncertain') &&
      deliveryActs[act].to.some((to) => to === 'queued'),
  )
  expect(back).toEqual(['answer', 'resend'])
})
