import { expect, test } from 'vitest'
import { startTestNewsletter } from '../testing/newsletter.ts'
import { startRecordingRelay } from '../testing/recording-relay.ts'

test('nothing more is sent or begun for a newsletter that was closed, and it goes on when it is restored', async () => {
  const relay = await startRecordingRelay()
  const room = await startTestNewsletter({ SMTP_URL: relay.url })
  try {
    await room.addSubscribers(['ada@example.org', 'ivo@example.org'])
    const { id } = await room.draft()
    expect((await room.send(id)).statusCode).toBe(200)
    expect((await room.owner.call('DELETE', room.path)).statusCode).toBe(200)
    await room.work()
    expect(relay.received).toEqual([])
    await room.owner.call('POST', '/api/me/newsletters/restore', { newsletterId: room.newsletterId })
    await room.work()
    expect(relay.received).toHaveLength(2)
  } finally {
    await room.stop()
    await relay.stop()
  }
})
