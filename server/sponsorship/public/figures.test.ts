import { afterAll, beforeEach, expect, test } from 'vitest'
import { startTestNewsletter, type TestNewsletter } from '../../testing/newsletter.ts'
import { addPublication } from '../../testing/publication.ts'

// The figures of the page for sponsors, as strangers read them. Each expected number was worked out by hand.

const HOUR_MS = 3_600_000
const now = new Date('2026-11-23T09:00:00Z')
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * HOUR_MS)
const daysAgo = (days: number) => hoursAgo(24 * days)

let server: TestNewsletter | undefined
const started = () => {
  if (!server) throw new Error('not started')
  return server
}
beforeEach(async () => {
  await server?.stop()
  server = await startTestNewsletter({}, () => now)
  const { owner, path } = server
  const words = { en: { name: 'Middle', disclosure: 'A word from our sponsor' } }
  await owner.call('POST', `${path}/sponsorship/placements`, { words, place: 'middle', maxWords: 10 })
  const opened = await owner.call('PATCH', `${path}/sponsorship/settings`, { weekdays: [6], page: 'open' })
  expect(opened.statusCode).toBe(200)
})
afterAll(() => server?.stop())

interface Mailed {
  at: Date
  accepted: number
  failed?: number
  /** Clicks of people, as two connections counted them. */
  human: [number, number]
  raw?: number
  digest?: 'weekly'
}

/** A publication that was mailed, with its roll-ups. */
async function mailed({ at, accepted, failed = 0, human, raw = 0, digest }: Mailed): Promise<string> {
  const { context, newsletterId } = started()
  const { db } = context
  const id = await addPublication(db, { newsletterId, startedAt: at })
  if (digest)
    await db
      .updateTable('publication')
      .set({ digest })
      .where('newsletter_id', '=', newsletterId)
      .where('id', '=', id)
      .execute()
  const counted = { intended: accepted + failed, accepted, failed }
  await db
    .insertInto('delivery_count')
    .values({ newsletter_id: newsletterId, sending_id: id, ...counted })
    .execute()
  const rows = human.map((clicks, part) => ({
    ...{ newsletter_id: newsletterId, publication_id: id, part: part + 1 },
    ...{ human: clicks, raw: clicks + raw },
  }))
  await db.insertInto('publication_result').values(rows).execute()
  return id
}

/** Each figure with what is said of it. */
async function figures(lang: 'en' | 'fr' = 'en'): Promise<Record<string, [string, string]>> {
  const answer = await started().inject(`/sponsor/${started().newsletterId}?lang=${lang}`)
  expect(answer.statusCode).toBe(200)
  const found = answer.body.matchAll(/<dt>([^<]*)<\/dt><dd><b>([^<]*)<\/b><span class="small">([^<]*)<\/span><\/dd>/g)
  return Object.fromEntries([...found].map(([, name, value, meaning]) => [name, [value, meaning]]))
}

test('of an odd number of publications the middle one is shown, and not their average', async () => {
  await mailed({ at: daysAgo(30), accepted: 1_204, human: [150, 61] })
  await mailed({ at: daysAgo(20), accepted: 9_999, human: [2_000, 500] })
  await mailed({ at: daysAgo(10), accepted: 1_188, human: [90, 40] })
  // Copies 1188, 1204, 9999: the middle is 1204, the average 4130. Clicks 130, 211, 2500: the middle is 211, and down to fifties 200.
  expect(await figures()).toMatchObject({
    'Copies accepted': ['1,200', expect.stringMatching(/^The middle one of the last 3 publications/)],
    'Human clicks': ['200', expect.stringContaining('middle one of the last 3 publications')],
  })
})

test('of an even number the smaller of the two in the middle is shown', async () => {
  await mailed({ at: daysAgo(40), accepted: 100, human: [900, 0] })
  await mailed({ at: daysAgo(30), accepted: 2_000, human: [250, 0] })
  await mailed({ at: daysAgo(20), accepted: 3_000, human: [151, 0] })
  await mailed({ at: daysAgo(10), accepted: 4_000, human: [800, 0] })
  // Copies 100, 2000, 3000, 4000. Clicks 151, 250, 800, 900: each has a middle of its own.
  expect(await figures()).toMatchObject({
    'Copies accepted': ['2,000', expect.anything()],
    'Human clicks': ['250', expect.anything()],
  })
})

test('they are of the last eight publications that were mailed, by when they went out', async () => {
  // The two oldest would raise the middle, and the order in which they are stored is not that in which they went out.
  await mailed({ at: daysAgo(80), accepted: 90_000, human: [9_000, 0] })
  for (const [index, accepted] of [1_000, 1_100, 1_200, 1_300].entries())
    await mailed({ at: daysAgo(10 + index), accepted, human: [accepted / 10, 0] })
  await mailed({ at: daysAgo(90), accepted: 80_000, human: [8_000, 0] })
  for (const [index, accepted] of [1_400, 1_500, 1_600, 1_700].entries())
    await mailed({ at: daysAgo(20 + index), accepted, human: [accepted / 10, 0] })
  // 1000 to 1700: the fourth of eight is 1300. With the two old ones the fifth of ten would be 1400.
  expect(await figures()).toMatchObject({
    'Copies accepted': ['1,300', expect.stringContaining('last 8 publications')],
    'Human clicks': ['100', expect.stringContaining('last 8 publications')],
  })
})

test('a publication counts once it is two days old, when nearly all its clicks have come', async () => {
  await mailed({ at: hoursAgo(47.99), accepted: 50_000, human: [7_000, 0] })
  expect(Object.keys(await figures())).toEqual(['Confirmed subscribers'])
  await mailed({ at: hoursAgo(48.01), accepted: 640, human: [120, 0] })
  expect(await figures()).toMatchObject({
    'Copies accepted': ['600', expect.stringMatching(/^The last publication/)],
    'Human clicks': ['100', expect.stringContaining('last publication')],
  })
})

test('what was mailed to nobody, what failed, digests, clicks of programs and other newsletters are left out', async () => {
  const { owner, newsletterId } = started()
  await mailed({ at: daysAgo(5), accepted: 700, failed: 4_000, human: [200, 60], raw: 3_000 })
  await mailed({ at: daysAgo(6), accepted: 0, failed: 900, human: [500, 0] })
  await mailed({ at: daysAgo(7), accepted: 8_000, human: [900, 0], digest: 'weekly' })
  const other = await started().createNewsletter(owner)
  await owner.call('PATCH', `/api/newsletters/${other}/sponsorship/settings`, { page: 'open' })
  const own = await figures()
  // 260 clicks by people, down to fifties.
  expect(own).toMatchObject({
    'Copies accepted': ['700', expect.stringMatching(/^The last publication/)],
    'Human clicks': ['250', expect.anything()],
  })
  const theirs = await started().inject(`/sponsor/${other}?lang=en`)
  expect([theirs.statusCode, theirs.body.includes('Copies accepted')]).toEqual([200, false])
  expect(newsletterId).not.toBe(other)
})

test('a publication without clicks counts with none', async () => {
  await mailed({ at: daysAgo(9), accepted: 400, human: [300, 0] })
  const silent = await mailed({ at: daysAgo(8), accepted: 500, human: [0, 0] })
  const { context, newsletterId } = started()
  await context.db
    .deleteFrom('publication_result')
    .where('newsletter_id', '=', newsletterId)
    .where('publication_id', '=', silent)
    .execute()
  // Clicks 0 and 300: the smaller of the two is none, which is fewer than a hundred.
  expect(await figures()).toMatchObject({ 'Human clicks': ['fewer than 100', expect.anything()] })
})

test('subscribers are those who are active, rounded down, and each language writes numbers in its way', async () => {
  const { context, newsletterId } = started()
  await started().addSubscribers(Array.from({ length: 1_242 }, (_, n) => `reader${n}@example.org`))
  for (const [email, status] of [
    ['reader0@example.org', 'unsubscribed'],
    ['reader1@example.org', 'bounced'],
    ['reader2@example.org', 'complained'],
  ] as const)
    await context.db
      .updateTable('subscriber')
      .set({ status, left_at: now })
      .where('newsletter_id', '=', newsletterId)
      .where('email', '=', email)
      .execute()
  await mailed({ at: daysAgo(3), accepted: 23_456, human: [1_111, 0] })
  // 1242 less 3 are 1239, down to tens.
  expect(await figures()).toMatchObject({
    'Confirmed subscribers': ['1,230', expect.anything()],
    'Copies accepted': ['23,456', expect.anything()],
  })
  expect(await figures('fr')).toMatchObject({
    'Abonnés confirmés': ['1\u202f230', expect.anything()],
    'Exemplaires acceptés': ['23\u202f456', expect.anything()],
    'Clics humains': ['1\u202f110', expect.stringContaining('dernière publication')],
  })
})
