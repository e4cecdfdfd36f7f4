import { afterAll, beforeAll, expect, test } from 'vitest'
import { addPaidPlan } from '../../testing/charge.ts'
import { paragraph, startTestNewsletter, type TestNewsletter } from '../../testing/newsletter.ts'
import { originOf, sourceIn } from './origin.ts'

let server: TestNewsletter
beforeAll(async () => {
  server = await startTestNewsletter()
  await addPaidPlan(server.context.db, server.newsletterId)
})
afterAll(() => server?.stop())

const origin = (query: Record<string, string>, referrer?: string, newsletterId = server.newsletterId) =>
  originOf(server.context.db, newsletterId, { query, referrer, publicUrl: 'https://tirage.test' })

test('what is not on the web, or is a neighbour’s, is nothing that somebody was reading', async () => {
  const { db } = server.context
  const content = { type: 'doc', content: [paragraph('Open.'), { type: 'paywall' }, paragraph('Shut.')] }
  const { id } = await server.draft({ title: 'Spring tide', content })
  await db.updateTable('publication').set({ slug: 'spring-tide' }).where('id', '=', id).execute()
  const unread = { publicationId: null, source: 'plans' }
  expect(await origin({ to: 'spring-tide' })).toMatchObject(unread)
  await db.updateTable('publication').set({ published_at: new Date() }).where('id', '=', id).execute()
  expect(await origin({ to: 'spring-tide' })).toMatchObject({ publicationId: id, source: 'paywall' })
  expect(await origin({ to: 'spring-tide' }, undefined, 'neighbour1')).toMatchObject(unread)
  for (const to of ['../spring-tide', 'spring tide', 'x'.repeat(300), ''])
    expect(await origin({ to })).toMatchObject({ ...unread, to: '' })
})

test('a source is one line of what was said, and another site cannot say it by the way back', async () => {
  expect(sourceIn('a\u0000\r\nb\u202e\u2028c')).toBe('a   b  c')
  expect(sourceIn('x'.repeat(900))).toHaveLength(200)
  for (const referrer of [
    '',
    'no address',
    'https://elsewhere.test/?utm_source=x',
    'https://tirage.test.elsewhere.test/?utm_source=x',
  ])
    expect(await origin({}, referrer)).toMatchObject({ source: 'plans' })
  expect(await origin({}, 'https://tirage.test/n/a/b?utm_source=radio')).toMatchObject({ source: 'radio' })
  expect(await origin({ utm_source: 'mail' }, 'https://tirage.test/?utm_source=radio')).toMatchObject({
    source: 'mail',
  })
})

test('what stands in the address of the page is text on it, and goes on in its links', async () => {
  const mark = '"><script>alert(1)</script>'
  const url = `/plans/${server.newsletterId}?utm_source=${encodeURIComponent(mark)}&coupon=${encodeURIComponent(mark)}`
  const { statusCode, body } = await server.inject({ url })
  expect(statusCode).toBe(200)
  expect(body).not.toContain('<script>alert')
  expect(body).toContain('source=%22%3E%3Cscript%3E')
  const repeated = await server.inject({ url: `/plans/${server.newsletterId}?to=a&to=b&source=x&source=y` })
  expect(repeated.statusCode).toBe(200)
})
