import { afterAll, beforeAll, expect, test } from 'vitest'
import { addPaidPlan } from '../../testing/charge.ts'
import { startTestNewsletter, type TestNewsletter } from '../../testing/newsletter.ts'
import { translator } from '../../translator.ts'

const t = translator('en')
let server: TestNewsletter
let planId: number
beforeAll(async () => {
  server = await startTestNewsletter()
  planId = await addPaidPlan(server.context.db, server.newsletterId)
})
afterAll(() => server?.stop())

const call = async (method: 'GET' | 'POST' | 'DELETE', rest: string, body?: unknown) => {
  const answer = await server.owner.call(method, `${server.path}/charge/gifts${rest}`, body)
  return { status: answer.statusCode, text: answer.body, ...(rest === '.csv' ? {} : answer.json()) }
}

test('codes are made together, listed in pages, withdrawn, and in a file', async () => {
  const until = '2099-12-31T23:59:59.000Z'
  const { gifts } = await call('POST', '', { planId, months: 12, count: 5, until, note: '=Library; spring' })
  expect(new Set(gifts.map(({ code }: { code: string }) => code)).size).toBe(5)
  expect(gifts[0]).toMatchObject({ planId, months: 12, until, state: 'open', takenAt: null, subscriber: null })
  const withdrawn = await call('DELETE', `/${gifts[0].id}`)
  expect(withdrawn).toMatchObject({ status: 200, state: 'withdrawn' })
  expect(await call('DELETE', `/${gifts[0].id}`)).toMatchObject({ status: 200, state: 'withdrawn' })
  const first = await call('GET', '?limit=3')
  const second = await call('GET', `?limit=3&cursor=${first.next}`)
  expect([first.rows.length, second.rows.length, second.next]).toEqual([3, 2, null])
  expect((await call('GET', '?cursor=nothing')).rows).toEqual([])
  const lines = (await call('GET', '.csv')).text.trim().split('\n')
  expect(lines).toHaveLength(5)
  expect(lines[0]).toBe('code,plan,months,until,note')
  expect(lines[1]).toMatch(/^[A-Z2-9-]{14},Supporter,12,2099-12-31T23:59:59.000Z,'=Library; spring$/)
  const { rows } = (await server.owner.call('GET', `${server.path}/audit?kind=charge`)).json()
  expect(rows.map(({ act }: { act: string }) => act)).toEqual(
    expect.arrayContaining(['gifts_made', 'gift_withdrawn', 'gifts_exported']),
  )
  expect(JSON.stringify(rows)).not.toContain(gifts[0].code)
})

test('only so many wait at a time, however many are made at once', async () => {
  const { db } = server.context
  await db.deleteFrom('gift').execute()
  const answers = await Promise.all(
    Array.from({ length: 22 }, () => call('POST', '', { planId, months: 1, count: 100 })),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(20)
  expect(answers.find(({ status }) => status !== 200)).toMatchObject({ status: 409, error: { code: 'too_many_gifts' } })
})

test.each<[string, Record<string, unknown>, number]>([
  ['an unknown plan', { planId: 999_999 }, 404],
  ['no months', { months: 0 }, 422],
  ['too many months', { months: 121 }, 422],
  ['no codes', { count: 0 }, 422],
  ['too many codes', { count: 101 }, 422],
  ['an end that has passed', { until: '2020-01-01T00:00:00Z' }, 422],
  ['a note of two lines', { note: 'a\nb' }, 422],
])('it refuses %s', async (_what, values, status) => {
  expect(await call('POST', '', { planId, months: 6, ...values })).toMatchObject({ status })
})

test('an end that has passed is said to be past', async () => {
  const { error } = await call('POST', '', { planId, months: 6, until: '2020-01-01T00:00:00Z' })
  expect(error.fields).toEqual({ until: t('errors.fields.day_past') })
})

test('a closed and a free plan have no gifts, and what does not exist is not withdrawn', async () => {
  const path = `${server.path}/charge/plans`
  const words = { en: { name: 'Free', promise: '' } }
  const free = (await server.owner.call('POST', path, { kind: 'free', words })).json()
  expect(await call('POST', '', { planId: free.id, months: 6 })).toMatchObject({ status: 404 })
  await server.owner.call('PATCH', `${path}/${planId}`, { closed: true })
  expect(await call('POST', '', { planId, months: 6 })).toMatchObject({ status: 409, error: { code: 'plan_closed' } })
  for (const id of ['x', '00000000-0000-7000-8000-000000000000'])
    expect(await call('DELETE', `/${id}`)).toMatchObject({ status: 404, error: { code: 'gift_not_found' } })
})
