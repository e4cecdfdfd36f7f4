import { afterAll, beforeAll, expect, test } from 'vitest'
import { enqueue } from '../jobs/queue.ts'
import { addNewsletter, startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'

let room: TestNewsletter
beforeAll(async () => {
  room = await startTestNewsletter()
})
afterAll(() => room.stop())

const ada = 'ada@readers.example'

/** To whom a newsletter’s caught mails are, as its outbox shows them. */
async function outboxOf(path: string): Promise<string[]> {
  const { rows } = (await room.owner.call('GET', `${path}/outbox`)).json()
  return rows.map(({ to }: { to: string[] | string }) => String(to)).sort()
}

async function ask(path: string, email: string): Promise<void> {
  expect((await room.owner.call('POST', `${path}/subscribers`, { email, language: 'en' })).statusCode).toBe(200)
}

test('whom an owner erases is gone from that newsletter’s outbox, with what waited to be mailed; others, and another newsletter’s mail to the same address, stay', async () => {
  const neighbour = `/api/newsletters/${await addNewsletter(room.context.db, room.owner.userId, 'High Water')}`
  const [adaId = ''] = await room.addSubscribers([ada, 'grace@readers.example'], 'Ada Lovelace')
  const { id } = await room.draft()
  await room.send(id)
  await ask(neighbour, ada)
  await room.work()
  expect(await outboxOf(room.path)).toEqual([ada, 'grace@readers.example'])
  expect(await outboxOf(neighbour)).toEqual([ada])

  expect((await room.owner.call('DELETE', room.subscriberPath(adaId))).statusCode).toBe(200)
  await room.work()
  expect(await outboxOf(room.path)).toEqual(['grace@readers.example'])
  expect(await outboxOf(neighbour)).toEqual([ada])
  expect((await room.counts(id)).caught).toBe(2)
})

test('a question that waits in the queue goes with whoever it is for', async () => {
  await ask(room.path, 'joan@readers.example')
  const { rows } = (await room.owner.call('GET', `${room.path}/subscribers?search=joan`)).json()
  expect((await room.owner.call('DELETE', `${room.path}/subscribers/${rows[0].id}`)).statusCode).toBe(200)
  await room.work()
  expect(await outboxOf(room.path)).not.toContain('joan@readers.example')
})

test('a mail to another address than the subscriber’s goes with them too, with no link in it', async () => {
  const [id = ''] = await room.addSubscribers(['hugo@readers.example'])
  const about = { newsletterId: room.newsletterId, subscriberId: id, kind: 'back', to: 'hugo@other.example' } as const
  await enqueue(room.context.db, 'mail_move', about)
  await room.work()
  expect(await outboxOf(room.path)).toContain('hugo@other.example')
  expect((await room.owner.call('DELETE', room.subscriberPath(id))).statusCode).toBe(200)
  await room.work()
  expect(await outboxOf(room.path)).not.toContain('hugo@other.example')
})

test('the mails to the address before go with whoever has another one by now', async () => {
  const { db } = room.context
  const [id = ''] = await room.addSubscribers(['rosa@readers.example'])
  const { newsletterId } = room
  const whose = { newsletterId, subscriberId: id }
  await enqueue(db, 'mail_read_link', { ...whose, to: null })
  await enqueue(db, 'mail_own_page', whose)
  await room.work()
  const toRosa = async () => (await outboxOf(room.path)).filter((to) => to.startsWith('rosa@'))
  expect(await toRosa()).toEqual(['rosa@readers.example', 'rosa@readers.example'])
  const moved = { email: 'rosa@other.example', email_normalised: 'rosa@other.example' }
  await db.updateTable('subscriber').set(moved).where('id', '=', id).execute()
  expect((await room.owner.call('DELETE', room.subscriberPath(id))).statusCode).toBe(200)
  await room.work()
  expect(await toRosa()).toEqual([])
})
