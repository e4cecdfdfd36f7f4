import { expect, test } from 'vitest'
import { nextStep } from './queries.ts'

const step = (name: 'subscriber' | 'branding' | 'send', done = false, skipped = false) => ({
  step: name,
  done,
  skipped,
})

test('the next step is the first that is open, and the colours only when nothing else is', () => {
  expect(nextStep([step('subscriber'), step('branding'), step('send')])?.step).toBe('subscriber')
  expect(nextStep([step('subscriber', true), step('branding'), step('send')])?.step).toBe('send')
  expect(nextStep([step('subscriber', true), step('branding'), step('send', false, true)])?.step).toBe('branding')
  expect(nextStep([step('subscriber', true), step('branding', true), step('send', true)])).toBeUndefined()
})
