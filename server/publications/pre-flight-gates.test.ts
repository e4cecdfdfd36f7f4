import { afterAll, beforeAll, expect, test } from 'vitest'
import { addPaidPlan } from '../testing/charge.ts'
import { paragraph, startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'

let server: TestNewsletter
beforeAll(async () => {
  server = await startTestNewsletter()
})
afterAll(() => server?.stop())

type Gate = { type: string; attrs?: Record<string, unknown>; content?: unknown[] }

/** What the pre-flight finds about the gates of a publication. */
async function found(...content: Gate[]) {
  const body = { title: 'The tide', language: 'en', content: { type: 'doc', content } }
  const { id } = (await server.owner.call('POST', `${server.path}/publications`, body)).json<{ id: string }>()
  const answer = await server.owner.call('GET', `${server.path}/publications/${id}/check`)
  const { problems } = answer.json<{ problems: { code: string; blocks: boolean; count: number | null }[] }>()
  return problems.filter(({ code }) => code === 'little_above_paywall' || code.startsWith('gate_'))
}

const words = (count: number) => paragraph(Array.from({ length: count }, () => 'tide').join(' '))
const little = (count: number) => ({ code: 'little_above_paywall', blocks: false, count })
const shut = (count: number) => ({ code: 'gate_not_for_sale', blocks: false, count })
const halfShut = (count: number) => ({ code: 'gate_names_closed', blocks: false, count })

test('a paywall with hardly anything above it is told, and stops nothing', async () => {
  await addPaidPlan(server.context.db, server.newsletterId)
  expect(await found({ type: 'paywall' }, words(200))).toEqual([little(0)])
  expect(await found(words(39), { type: 'paywall' }, words(200))).toEqual([little(39)])
  expect(await found(words(40), { type: 'paywall' }, words(200))).toEqual([])
  // What is for paid subscribers only is not above it for a stranger.
  const paidOnly = { type: 'onlyFor', attrs: { for: 'paid' }, content: [words(60)] }
  expect(await found(words(10), paidOnly, { type: 'paywall' }, words(9))).toEqual([little(10)])
  expect(await found(words(10))).toEqual([])
})

test('a gate is told when nobody can buy the way through: its plans are closed, have no price or are not there', async () => {
  const { db } = server.context
  const open = await addPaidPlan(db, server.newsletterId, 'Open')
  const closed = await addPaidPlan(db, server.newsletterId, 'Closed')
  const bare = await addPaidPlan(db, server.newsletterId, 'Bare')
  await server.owner.call('PATCH', `${server.path}/charge/plans/${closed}`, { closed: true })
  await server.owner.call('PUT', `${server.path}/charge/plans/${bare}/prices`, { prices: [], moveOutside: false })
  const only = (...plans: number[]) => ({ type: 'onlyFor', attrs: { for: plans }, content: [words(5)] })
  const text = words(50)
  expect(await found(text, only(open))).toEqual([])
  expect(await found(text, only(open, closed))).toEqual([halfShut(1)])
  expect(await found(text, only(open, closed), only(open, bare), only(open))).toEqual([halfShut(2)])
  expect(await found(text, only(closed), only(open, bare))).toEqual([shut(1), halfShut(1)])
  expect(await found(text, only(closed))).toEqual([shut(1)])
  expect(await found(text, only(bare), only(closed))).toEqual([shut(2)])
  expect(await found(text, { type: 'paywall', attrs: { plans: [closed, bare] } }, text)).toEqual([shut(1)])
  expect(await found(text, { type: 'onlyFor', attrs: { for: 'free' }, content: [text] })).toEqual([])
})
