import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addNewsletter, startTestNewsletter, type TestNewsletter } from '../../testing/newsletter.ts'
import { addOptInCampaign, pressOnOptIn } from '../../testing/opt-in.ts'

const DAY_MS = 86_400_000
const ago = (days: number) => new Date(Date.now() - days * DAY_MS)

let server: TestNewsletter
let round = 0
beforeAll(async () => {
  server = await startTestNewsletter()
})
afterAll(() => server?.stop())
beforeEach(() => {
  round += 1
})

const names = ['stays', 'left early', 'left late', 'recent'] as const
const addressOf = (name: string) => `${name.replace(' ', '-')}${round}@example.org`

/** Four people say yes: three of them twenty days ago. */
async function askFour(campaignId: string): Promise<void> {
  const ids = await server.addSubscribers(names.map(addressOf))
  for (const subscriberId of ids)
    expect((await pressOnOptIn(server, { campaignId, subscriberId, act: 'yes' })).statusCode).toBe(303)
  await server.context.db
    .updateTable('opt_in')
    .set({ confirmed_at: ago(20) })
    .where('subscriber_id', 'in', ids.slice(0, 3))
    .execute()
}

const leave = (newsletterId: string, name: (typeof names)[number], at: Date) =>
  server.context.db
    .updateTable('subscriber')
    .set({ status: 'unsubscribed', left_at: at })
    .where('newsletter_id', '=', newsletterId)
    .where('email_normalised', '=', addressOf(name))
    .executeTakeFirstOrThrow()

const stayed = async (campaignId: string) =>
  (await server.owner.call('GET', `${server.path}/opt-in-campaigns/${campaignId}`)).json().counts.stayed

test('for this newsletter: whoever left it within fourteen days is not there after them, and whoever left later is', async () => {
  const campaignId = await addOptInCampaign(server, { beneficiary: { kind: 'newsletter', tagId: null } })
  await askFour(campaignId)
  expect(await stayed(campaignId)).toEqual({ still: 3, of: 3 })
  await leave(server.newsletterId, 'left early', ago(7))
  await leave(server.newsletterId, 'left late', ago(5))
  expect(await stayed(campaignId)).toEqual({ still: 2, of: 3 })
})

test('for another newsletter: it is that one which they have not left, whatever became of their subscription here', async () => {
  const other = await addNewsletter(server.context.db, server.owner.userId, 'Rope & Tar')
  const campaignId = await addOptInCampaign(server, {
    beneficiary: { kind: 'other_newsletter', newsletter: other },
  })
  await askFour(campaignId)
  expect(await stayed(campaignId)).toEqual({ still: 3, of: 3 })
  await leave(server.newsletterId, 'stays', ago(10))
  expect(await stayed(campaignId)).toEqual({ still: 3, of: 3 })
  await leave(other, 'left early', ago(7))
  await leave(other, 'left late', ago(5))
  expect(await stayed(campaignId)).toEqual({ still: 2, of: 3 })
})
