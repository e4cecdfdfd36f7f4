import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'

let server: TestNewsletter
beforeAll(async () => {
  server = await startTestNewsletter()
})
afterAll(() => server?.stop())

/** Changes the newsletter, or makes a field. */
const paths = { PATCH: '', POST: '/fields' }

test.each<['PATCH' | 'POST', Record<string, unknown>, Record<string, string>]>([
  ['PATCH', { digestHour: -1 }, { digestHour: 'At least 0.' }],
  ['PATCH', { digestWeekday: 0 }, { digestWeekday: 'At least 1.' }],
  ['PATCH', { digestHour: 24 }, { digestHour: 'At most 23.' }],
  ['PATCH', { name: '' }, { name: 'This is needed.' }],
  ['PATCH', { name: 'x'.repeat(500) }, { name: 'At most 120 characters.' }],
  ['POST', { key: 'way', label: 'Way', kind: 'choice', choices: ['a', 'a'] }, { choices: 'This stands here already.' }],
  ['POST', { key: 'way', label: 'Way', kind: 'choice' }, { choices: 'This is needed.' }],
])('%s with %j says what is wrong with the field', async (method, body, fields) => {
  const answer = await server.owner.call(method, server.path + paths[method], body)
  expect([answer.statusCode, answer.json().error.fields]).toEqual([422, fields])
})
