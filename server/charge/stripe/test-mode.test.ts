import { afterAll, beforeAll, expect, test } from 'vitest'
import { languages } from '../../languages.ts'
import { findSubscriber } from '../../subscribers/queries.ts'
import { SubscriberLinks } from '../../subscribers/subscriber-links.ts'
import { addPaidPlan, addPaidSubscription } from '../../testing/charge.ts'
import { paragraph, startTestNewsletter, type TestNewsletter } from '../../testing/newsletter.ts'
import { type StripeStandIn, startStripe } from '../../testing/stripe/stand-in.ts'
import { translator } from '../../translator.ts'

let stripe: StripeStandIn
let server: TestNewsletter
let planId: number
const slugs: Record<string, string> = {}
beforeAll(async () => {
  stripe = await startStripe()
  server = await startTestNewsletter({ STRIPE_API: stripe.url, PUBLIC_URL: 'https://tirage.test' })
  planId = await addPaidPlan(server.context.db, server.newsletterId)
  const content = { type: 'doc', content: [paragraph('Open'), { type: 'paywall' }, paragraph('Closed')] }
  for (const language of languages) {
    const written = { title: `The tide ${language}`, language, content }
    const made = (await server.owner.call('POST', `${server.path}/publications`, written)).json<{ id: string }>()
    await server.owner.call('PATCH', `${server.path}/publications/${made.id}`, { language })
    await server.owner.call('POST', `${server.path}/publications/${made.id}/send`, { channel: 'web' })
    await server.work()
    const row = await server.context.db
      .selectFrom('publication')
      .select('slug')
      .where('id', '=', made.id)
      .executeTakeFirstOrThrow()
    slugs[language] = row.slug ?? ''
  }
})
afterAll(async () => {
  stripe?.stop()
  await server?.stop()
})

const page = async (url: string) => (await server.inject({ method: 'GET', url })).body
const band = '<p class="test-band" role="note">'

/** Every page on which something is sold, in a language. */
const selling = (language: string) => [
  `/plans/${server.newsletterId}?lang=${language}`,
  `/n/${server.newsletterId}/${slugs[language]}`,
  `/checkout/${server.newsletterId}/done?lang=${language}`,
]

const saying = async (language: string) => {
  const bodies = await Promise.all(selling(language).map(page))
  return bodies.map((body) => body.includes(band))
}

const connect = async (live: boolean) => {
  const answer = await server.owner.call('PUT', `${server.path}/charge/stripe`, {
    key: stripe.addAccount({ live }).key,
  })
  expect(answer.json()).toMatchObject({ connected: true, test: !live })
}

test.each(languages)(
  'while the key is a test key, what is offered in mails and in the feed says so (%s)',
  async (language) => {
    const sentence = translator(language)('readers.testBand')
    const { id } = await server.context.db
      .selectFrom('publication')
      .select('id')
      .where('slug', '=', slugs[language] ?? '')
      .executeTakeFirstOrThrow()
    const shown = async (reader: string) => {
      const answer = await server.owner.call('POST', `${server.path}/publications/${id}/preview`, { reader })
      const { email, text } = answer.json<{ email: string; text: string }>()
      const feed = await page(`/n/${server.newsletterId}/feed.xml`)
      return [email, text.replaceAll(/\s+/g, ' '), feed].map((body) => body.includes(sentence))
    }
    await connect(false)
    expect(await shown('free')).toEqual([true, true, true])
    // Who reads all of it is offered nothing.
    expect(await shown('paid')).toEqual([false, false, true])
    await connect(true)
    expect(await shown('free')).toEqual([false, false, false])
  },
)

test.each(languages)('while the key is a test key, every page that sells says so (%s)', async (language) => {
  await connect(false)
  expect(await saying(language)).toEqual([true, true, true])
  const [plans = '', publication = ''] = await Promise.all(selling(language).map(page))
  const t = translator(language)
  expect(plans).toContain(t('readers.testBand'))
  expect(publication).toContain(t('stripe.page.tryIt'))
  // The archive and a form to subscribe sell nothing.
  expect(await page(`/n/${server.newsletterId}`)).not.toContain(band)
  expect(await page(`/sub/${server.newsletterId}`)).not.toContain(band)

  // Pages in memory are drawn anew when a live key takes its place, and when it goes.
  await connect(true)
  expect(await saying(language)).toEqual([false, false, false])
  expect(await page(selling(language)[1] ?? '')).not.toContain(t('stripe.page.tryIt'))
  await connect(false)
  expect(await saying(language)).toEqual([true, true, true])
  await server.owner.call('DELETE', `${server.path}/charge/stripe`)
  expect(await saying(language)).toEqual([false, false, false])
})

test('who bought in test mode reads so on their own page, and nobody else does', async () => {
  const { db, signer, config, now } = server.context
  const links = new SubscriberLinks(config.secret, signer)
  const ids = await server.addSubscribers(['tries@example.org', 'pays@example.org'])
  const shown: boolean[] = []
  for (const [at, subscriberId] of ids.entries()) {
    const key = { newsletterId: server.newsletterId, subscriberId }
    await addPaidSubscription(db, key, { planId, way: 'card', test: at === 0, renews: true })
    const row = await findSubscriber(db, server.newsletterId, subscriberId)
    shown.push((await page(`/me/${row && links.fresh(row, now())}`)).includes(band))
  }
  expect(shown).toEqual([true, false])
})
