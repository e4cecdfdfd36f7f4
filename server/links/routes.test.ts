import { afterAll, beforeAll, expect, test } from 'vitest'
import { publicId } from '../database/ids.ts'
import { startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'

let newsletter: TestNewsletter

beforeAll(async () => {
  newsletter = await startTestNewsletter()
})
afterAll(() => newsletter.stop())

test('the list shows a link whatever its stored target is', async () => {
  const { newsletterId, context, owner } = newsletter
  for (const target of ['mailto:ines@lowwater.example', 'https:lowwater.example', 'nowhere']) {
    await context.db
      .insertInto('short_link')
      .values({ id: publicId(10), newsletter_id: newsletterId, target })
      .execute()
    const answer = await owner.call('GET', `/api/newsletters/${newsletterId}/links?limit=1`)
    expect([answer.statusCode, answer.json().rows[0].target]).toEqual([200, target])
  }
})
