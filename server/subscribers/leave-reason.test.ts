import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'
import { translator } from '../translator.ts'

let room: TestNewsletter
beforeAll(async () => {
  room = await startTestNewsletter()
})
afterAll(() => room.stop())

test('what a reader says of why they leave is shown to the owner until they come back, and stays in their timeline', async () => {
  const [id = ''] = await room.addSubscribers(['ada@readers.example'], 'Ada Lovelace')
  const submit = async (fields: Record<string, string>) => {
    const answer = await room.app.inject({
      method: 'POST',
      url: `/unsub/${room.newsletterId}/${id}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(fields).toString(),
    })
    expect(answer.statusCode).toBe(303)
  }
  const reason = async () => (await room.owner.call('GET', room.subscriberPath(id))).json().leftReason
  expect(await reason()).toBeNull()
  await submit({ act: 'leave' })
  expect(await reason()).toBeNull()
  await submit({ act: 'reason', reason: 'notForMe' })
  expect(await reason()).toBe('notForMe')
  await submit({ act: 'return' })
  expect(await reason()).toBeNull()
  await submit({ act: 'leave' })
  const { rows } = (await room.owner.call('GET', `${room.subscriberPath(id)}/timeline`)).json()
  const left = rows.filter(({ kind }: { kind: string }) => kind === 'unsubscribed')
  expect(left.map((row: { reason: string | null }) => row.reason)).toEqual([null, 'notForMe'])
})

test('who sends the question why without an answer is told to choose one, where the choices are', async () => {
  const [id = ''] = await room.addSubscribers(['grace@readers.example'], 'Grace Hopper')
  const url = `/unsub/${room.newsletterId}/${id}`
  const submit = (fields: Record<string, string>) =>
    room.app.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(fields).toString(),
    })
  await submit({ act: 'leave' })
  const problem = translator('en')('subscribers.page.left.choose')
  expect((await room.app.inject({ url })).body).not.toContain(problem)
  const { headers } = await submit({ act: 'reason' })
  const { body } = await room.app.inject({ url: String(headers.location) })
  expect(body).toMatch(new RegExp(`role="alert">${problem}`))
  expect(body.match(/<input[^>]* autofocus[^>]*>/gi)).toEqual([
    expect.stringContaining('aria-describedby="reason-problem"'),
  ])
  await submit({ act: 'reason', reason: 'other' })
  expect((await room.app.inject({ url: String(headers.location) })).body).not.toContain(problem)
})
