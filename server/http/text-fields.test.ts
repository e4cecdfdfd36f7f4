import { expect, test } from 'vitest'
import { textFields } from './text-fields.ts'

test('a field that is repeated or nested counts for nothing', () => {
  const given = { email: ['a@example.org', 'b@example.org'], name: { first: 'A' }, note: null, age: 7, consent: 'yes' }
  expect(textFields(given)).toEqual({ consent: 'yes' })
  for (const none of [null, undefined, 'email=a', 7]) expect(textFields(none)).toEqual({})
  expect(textFields(JSON.parse('{"__proto__":{"admin":"yes"},"a":"b"}')).admin).toBeUndefined()
})
