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

test('countries that were counted are shown where there is no database of them any more', async () => {
  const { newsletterId, context, owner } = newsletter
  const shown = async (id: string) => {
    const { countries, countriesKnown } = (
      await owner.call('GET', `/api/newsletters/${newsletterId}/links/${id}`)
    ).json()
    return { countries, countriesKnown }
  }
  const [none, some] = [publicId(10), publicId(10)]
  const target = 'https://lowwater.example/'
  await context.db
    .insertInto('short_link')
    .values([none, some].map((id) => ({ id, newsletter_id: newsletterId, target })))
    .execute()
  await context.db
    .insertInto('click')
    .values({ newsletter_id: newsletterId, short_link_id: some, at: new Date(), device: 'phone', country: 'FR' })
    .execute()
  expect(await shown(none)).toEqual({ countries: [], countriesKnown: false })
  expect(await shown(some)).toEqual({ countries: [{ value: 'FR', raw: 1, human: 1 }], countriesKnown: true })
})
