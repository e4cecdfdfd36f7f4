import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestNewsletter, type TestNewsletter } from '../../testing/newsletter.ts'

let server: TestNewsletter
beforeAll(async () => {
  server = await startTestNewsletter()
  await server.addSubscribers(['ada@example.org'])
  const { id } = await server.draft()
  await server.send(id)
  await server.work()
})
afterAll(() => server.stop())

const linkIn = (text: string) => /(\/me\/[\w.-]+)/.exec(text.replaceAll(/=\r?\n/g, ''))?.[1] ?? 'no link'
const newest = async () => (await server.context.relays.outbox.list())[0]?.id ?? ''
const sent = async (id: string) => (await server.context.relays.outbox.read(id))?.source.toString() ?? ''
/** As a member of the newsletter reads it. */
const read = async (id: string) => (await server.owner.call('GET', `${server.path}/outbox/${id}`)).json().source

test('each mail has the link at its foot, and a member who reads the mail reads another one, which is nobody’s', async () => {
  const id = await newest()
  const link = linkIn(await sent(id))
  expect((await server.stranger('GET', link)).body).toContain('a…\u2060a@example.org')
  const shown = linkIn(await read(id))
  expect(shown).not.toBe(link)
  expect((await server.stranger('GET', shown)).body).toContain('This was only a test')
})

test('a member reads a mail with a fresh link, and that link opens nothing', async () => {
  const asked = await server.inject({
    method: 'POST',
    url: `/subscribe/${server.newsletterId}/me`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'email=ada%40example.org',
  })
  expect(asked.statusCode).toBe(303)
  await server.work()
  const id = await newest()
  const link = linkIn(await sent(id))
  expect((await server.stranger('GET', link)).body).toContain('ada@example.org')
  const shown = linkIn(await read(id))
  expect((await server.stranger('GET', shown)).body).not.toContain('example.org')
  expect((await server.stranger('GET', `${shown}/data`)).statusCode).toBe(303)
})

test('on their own machine, where mail is caught, an owner reads where the link is and not that it is on its way', async () => {
  for (const [env, isThere] of [
    [{ PUBLIC_URL: 'http://localhost:3000' }, true],
    [{ PUBLIC_URL: 'https://news.example' }, false],
  ] as const) {
    const site = await startTestNewsletter(env)
    try {
      await site.addSubscribers(['ada@example.org'])
      const { id } = await site.draft()
      await site.send(id)
      await site.work()
      const [mail] = await site.context.relays.outbox.list()
      const link = linkIn((await site.context.relays.outbox.read(mail?.id ?? ''))?.source.toString() ?? '')
      for (const said of ['mailed', 'moving&to=new%40example.org', 'saved']) {
        const { body } = await site.stranger('GET', `${link}?said=${said}`)
        expect(body.includes('href="/outbox?newest='), `${env.PUBLIC_URL} ${said}`).toBe(isThere && said !== 'saved')
        expect(body.includes('on its way')).toBe(!isThere && said !== 'saved')
        expect(body.includes('new@example.org')).toBe(said.startsWith('moving'))
      }
    } finally {
      await site.stop()
    }
  }
})
