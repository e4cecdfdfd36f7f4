import { afterAll, beforeAll, expect, test } from 'vitest'
import { addPaidPlan, addPaidSubscription } from '../../testing/charge.ts'
import { paragraph, startTestNewsletter, type TestNewsletter } from '../../testing/newsletter.ts'

let server: TestNewsletter
let planId: number
let other: number
beforeAll(async () => {
  server = await startTestNewsletter()
  planId = await addPaidPlan(server.context.db, server.newsletterId, 'Supporter')
  other = await addPaidPlan(server.context.db, server.newsletterId, 'Patron')
})
afterAll(() => server?.stop())

const get = async (rest: string) => {
  const answer = await server.owner.call('GET', `${server.path}/charge${rest}`)
  return { status: answer.statusCode, ...answer.json() }
}
const paywall = (...plans: number[]) => ({ type: 'paywall', attrs: { plans } })
const only = (whom: 'free' | 'paid' | 'web' | 'email' | number[]) => ({
  type: 'onlyFor',
  attrs: { for: whom },
  content: [paragraph('Only.')],
})
const draft = (title: string, ...content: unknown[]) =>
  server.draft({ title, content: { type: 'doc', content: [paragraph('Open.'), ...content] } })

test('a plan opens the publications that name it, and those that any paid plan opens', async () => {
  expect(await get(`/plans/${planId}/opens`)).toMatchObject({ named: 0, any: 0, onlyNewest: null, publications: [] })
  await draft('Open to all')
  await draft('For those who do not pay', only('free'))
  await draft('For one place', only('web'), only('email'))
  await draft('For patrons', paywall(other))
  await draft('By name', only([other, planId]), only([planId]), only('free'))
  await draft('By any', { type: 'paywall' }, paragraph('Rest.'))
  await draft('By both', only('paid'), paywall(planId), paragraph('Rest.'))
  const opened = await get(`/plans/${planId}/opens`)
  expect(opened).toMatchObject({ named: 2, any: 1, onlyNewest: null })
  const rows = opened.publications as Record<string, unknown>[]
  expect(rows.map(({ title, paywall, blocks, byName, draft }) => [title, paywall, blocks, byName, draft])).toEqual([
    ['By both', true, 1, true, true],
    ['By name', false, 2, true, true],
    ['By any', true, 0, false, true],
  ])
  expect((await get(`/plans/${other}/opens`)).named).toBe(2)
  expect(await get('/plans/999999/opens')).toMatchObject({ status: 404 })
})

test('who pays less by a coupon is counted apart, with what is taken off', async () => {
  const { db } = server.context
  for (const discount of [0, 0, 1080]) {
    const [subscriberId = ''] = await server.addSubscribers([`${crypto.randomUUID()}@example.org`])
    await addPaidSubscription(db, { newsletterId: server.newsletterId, subscriberId }, { planId, discount })
  }
  const { plans } = await get('/plans')
  const { holders } = plans.find(({ id }: { id: number }) => id === planId)
  expect(holders.map((one: Record<string, unknown>) => [one.amount, one.discount, one.subscribers])).toEqual([
    [5400, 0, 2],
    [5400, 1080, 1],
  ])
})
