import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'

let server: TestNewsletter
beforeAll(async () => {
  server = await startTestNewsletter()
})
afterAll(() => server?.stop())

test('leaving counts while the newsletter is deleted, so that nobody is written to when it is restored', async () => {
  const [id] = await server.addSubscribers(['ada@example.com'])
  await server.owner.call('DELETE', server.path)
  const url = `/unsub/${server.newsletterId}/${id}`
  const { body } = await server.inject(url)
  expect(body.match(/<form/g)).toHaveLength(1)
  // It offers nothing of a newsletter that is not there, and leads to none of its pages.
  expect(body).toContain('value="leave"')
  expect(body).not.toMatch(/name="(months|pace)"|href="\/(n|subscribe|plans)\//)
  const post = (payload: string) =>
    server.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload,
    })
  expect((await post('List-Unsubscribe=One-Click')).body).toBe('OK')
  const back = await post('act=return')
  const page = await server.inject(back.headers.location?.toString() ?? '')
  expect(page.body).toContain('has closed, and sends nothing now')
  await post('act=leave')
  await server.owner.call('POST', '/api/me/newsletters/restore', { newsletterId: server.newsletterId })
  const { rows } = (await server.owner.call('GET', `${server.path}/subscribers`)).json()
  expect(rows).toMatchObject([{ status: 'unsubscribed' }])
})
