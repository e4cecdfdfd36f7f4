import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'

let room: TestNewsletter
beforeAll(async () => {
  room = await startTestNewsletter()
})
afterAll(() => room.stop())

test('the search of the outbox asks for no accents, finds signs as signs, and says how many are kept beside what it finds', async () => {
  for (const title of ['Été sur la côte', 'Un cœur (à la mer)']) {
    const { id } = await room.draft({ title })
    expect((await room.owner.call('POST', `${room.path}/publications/${id}/test`, {})).statusCode).toBe(200)
  }
  const { kept } = (await room.owner.call('GET', `${room.path}/outbox`)).json()
  const find = async (search: string) => {
    const answer = (await room.owner.call('GET', `${room.path}/outbox?search=${encodeURIComponent(search)}`)).json()
    expect(answer.kept).toBe(kept)
    return [answer.total, ...answer.rows.map(({ subject }: { subject: string }) => subject)]
  }
  expect(await find('ete sur la cote')).toEqual([1, '[Test] Été sur la côte'])
  expect(await find('COEUR (à')).toEqual([1, '[Test] Un cœur (à la mer)'])
  expect(await find('cœùr')).toEqual([1, '[Test] Un cœur (à la mer)'])
  expect(await find('.*')).toEqual([0])
  expect(kept).toBe(2)
})
