import { expect, test } from 'vitest'
import { nextStep } from './queries.ts'

const step = (name: 'sample' | 'subscriber' | 'branding' | 'send', done = false, skipped = false) => ({
  step: name,
  done,
  skipped,
})

test('the next step is the first that is open, and the colours only when nothing else is', () => {
  expect(nextStep([step('subscriber'), step('branding'), step('send')], true)?.step).toBe('subscriber')
  expect(nextStep([step('subscriber', true), step('branding'), step('send')], true)?.step).toBe('send')
  expect(nextStep([step('subscriber', true), step('branding'), step('send', false, true)], true)?.step).toBe('branding')
  expect(nextStep([step('subscriber', true), step('branding', true), step('send', true)], true)).toBeUndefined()
})

test('what nobody can take before an owner has proven an address is not the next step', () => {
  expect(nextStep([step('sample'), step('subscriber'), step('branding'), step('send')], false)?.step).toBe('send')
  expect(nextStep([step('sample'), step('subscriber')], false)).toBeUndefined()
  expect(nextStep([step('sample'), step('subscriber')], true)?.step).toBe('sample')
})
