import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'

let room: TestNewsletter
beforeAll(async () => {
  room = await startTestNewsletter()
})
afterAll(() => room.stop())

test('a page is signed by its sender, and not once more by the newsletter whose name is above', async () => {
  const draft = await room.draft({ title: 'Slack water' })
  await room.send(draft.id, { channel: 'web' })
  const { url } = (await room.owner.call('GET', `${room.path}/publications/${draft.id}`)).json()
  const byline = async (senderName: string) => {
    expect((await room.owner.call('PATCH', room.path, { senderName })).statusCode).toBe(200)
    const { body } = await room.app.inject(new URL(url).pathname)
    return /<p class="byline">([^<]*)/.exec(body)?.[1]
  }
  const { name } = (await room.owner.call('GET', room.path)).json()
  expect(await byline('Inès Kerbrat')).toBe('By Inès Kerbrat')
  expect(await byline(name)).toBeUndefined()
})
