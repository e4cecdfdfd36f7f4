import PostalMime from 'postal-mime'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { composeDigestsJob } from '../digests/compose-digests.job.ts'
import { SubscriberLinks } from '../subscribers/subscriber-links.ts'
import { addPaidPlan, addPaidSubscription } from '../testing/charge.ts'
import { paragraph, startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'
import { type RecordingRelay, startRecordingRelay } from '../testing/recording-relay.ts'

// Something secret is published below a paywall and in a block for who pays, and is looked for wherever a publication is shown.

const SECRET = 'zqsecret'
const FREE = 'zqfree'
const OPEN = 'zqopen'

/** Every place of a document where an author can write something. */
const secrets = (mark: string) => [
  { type: 'heading', attrs: { level: 2 }, content: [{ type: 'text', text: `${mark} heading` }] },
  paragraph(`${mark} text`),
  {
    type: 'paragraph',
    content: [
      { type: 'text', text: 'a link', marks: [{ type: 'link', attrs: { href: `https://${mark}.example/` } }] },
      { type: 'text', text: 'its title', marks: [{ type: 'link', attrs: { href: 'https://a.test/', title: mark } }] },
      { type: 'mergeTag', attrs: { field: 'name', fallback: mark } },
      {
        type: 'footnote',
        attrs: {
          note: [
            { type: 'text', text: mark, marks: [{ type: 'link', attrs: { href: `https://${mark}.note.example/` } }] },
          ],
        },
      },
    ],
  },
  {
    type: 'image',
    attrs: { src: `https://img.test/${mark}.png`, alt: mark, caption: mark, href: `https://img.test/${mark}` },
  },
  { type: 'video', attrs: { url: `https://video.test/${mark}.mp4`, provider: 'file', title: mark } },
  { type: 'button', attrs: { label: mark, href: `https://button.test/${mark}` } },
  { type: 'codeBlock', content: [{ type: 'text', text: mark }] },
  { type: 'blockquote', content: [paragraph(mark)] },
  { type: 'callout', content: [paragraph(mark)] },
  { type: 'bulletList', content: [{ type: 'listItem', content: [paragraph(mark)] }] },
  { type: 'table', content: [{ type: 'tableRow', content: [{ type: 'tableCell', content: [paragraph(mark)] }] }] },
]

let server: TestNewsletter
let relay: RecordingRelay
let publicationId: string
let slug: string
let free: string

beforeAll(async () => {
  relay = await startRecordingRelay()
  server = await startTestNewsletter({ SMTP_URL: relay.url })
  const { db } = server.context
  const planId = await addPaidPlan(db, server.newsletterId)
  const other = await addPaidPlan(db, server.newsletterId, 'Another')
  const [paid = '', ...rest] = await server.addSubscribers(
    ['paid', 'other', 'ended', 'free', 'weekly'].map((name) => `${name}@example.org`),
  )
  const [withOther = '', ended = '', freely = '', weekly = ''] = rest
  free = freely
  const key = (subscriberId: string) => ({ newsletterId: server.newsletterId, subscriberId })
  await addPaidSubscription(db, key(paid), { planId })
  await addPaidSubscription(db, key(withOther), { planId: other })
  await addPaidSubscription(db, key(ended), { planId, paid_until: new Date(Date.now() - 60_000) })
  await db.updateTable('subscriber').set({ pace: 'weekly' }).where('id', '=', weekly).execute()
  const content = {
    type: 'doc',
    content: [
      paragraph(`${OPEN} begins`),
      { type: 'onlyFor', attrs: { for: 'paid' }, content: secrets(SECRET) },
      { type: 'onlyFor', attrs: { for: 'free' }, content: [paragraph(FREE)] },
      { type: 'onlyFor', attrs: { for: [other] }, content: secrets(`${SECRET}other`) },
      paragraph(`${OPEN} ends`),
      { type: 'paywall' },
      ...secrets(SECRET),
    ],
  }
  const draft = await server.draft({ title: 'Low tide', content })
  publicationId = draft.id
  const sent = await server.send(publicationId)
  expect(sent.statusCode, sent.body).toBe(200)
  await server.work()
  slug = sent.json().url.split('/').at(-1)
})
afterAll(async () => {
  await server?.stop()
  await relay?.stop()
})

const read = async (to: string, subject: RegExp) => {
  const found = relay.received.filter(({ to: address, raw }) => address === to && subject.test(raw))
  expect(found).toHaveLength(1)
  const { html = '', text = '', headers } = await PostalMime.parse(found[0]?.raw ?? '')
  return { html, text, all: [html, text, JSON.stringify(headers)].join('\n') }
}

/** Every path of the server that answers a GET, from Fastify's own drawing of its tree. */
function everyPath(): string[] {
  const above: string[] = []
  return server.app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', part = '', methods = ''] = /^([│ ]*)[├└]── (\S+)(?: \((.*)\))?$/.exec(line) ?? []
      above.splice(indent.length / 4, above.length, part)
      return methods.includes('GET') ? [above.join('')] : []
    })
}

/** Every secret of the document, so many of each. */
const countIn = (text: string) => text.split(SECRET).length - 1

describe('a stranger', () => {
  test('finds nothing of it at any address of this server', async () => {
    const links = new SubscriberLinks(server.context.config.secret, server.context.signer)
    const token = links.standing({ newsletterId: server.newsletterId, subscriberId: free })
    const params: Record<string, string> = {
      newsletter: server.newsletterId,
      newsletterId: server.newsletterId,
      slug,
      publicationId,
      subscriberId: free,
      token,
      revision: '1',
    }
    const paths = everyPath()
    const surfaces = ['/n/:newsletter/:slug', '/n/:newsletter/feed.json', '/n/:newsletter/feed.xml']
    expect(paths).toEqual(expect.arrayContaining(['/n/:newsletter', ...surfaces]))
    const shown: string[] = []
    for (const path of paths.filter((path) => !path.endsWith('/live'))) {
      const url = path.replaceAll(/:(\w+)/g, (_, name) => params[name] ?? 'x')
      for (const query of ['', `?q=${SECRET}`]) {
        const answer = await server.stranger('GET', url + query)
        // What was searched for stands in the field of the search, and in the sentence that it was not found.
        const body = query
          ? answer.body.replaceAll(new RegExp(`(value="|“|q=)${SECRET}(?![a-z ])`, 'g'), '')
          : answer.body
        expect([url + query, countIn(body)]).toEqual([url + query, 0])
        if (answer.body.includes(OPEN)) shown.push(path)
      }
    }
    // The walk has seen the surfaces that show the publication, and not only refusals.
    expect([...new Set(shown)].sort()).toEqual(surfaces)
  })

  test('reads up to the paywall on its page, which says so to search engines', async () => {
    const page = await server.stranger('GET', `/n/${server.newsletterId}/${slug}`)
    expect(page.body).toContain(`${OPEN} ends`)
    expect(page.body).toContain(FREE)
    expect(page.body).toContain('class="paywall"')
    const data = JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page.body)?.[1] ?? '')
    expect(data).toMatchObject({
      isAccessibleForFree: false,
      hasPart: { '@type': 'WebPageElement', isAccessibleForFree: false, cssSelector: '.paywall' },
    })
    expect(page.body).toMatch(new RegExp(`<meta[^>]*content="${OPEN} begins`))
  })

  test('finds the publication in the archive by what is open, and by nothing else', async () => {
    const found = async (words: string) => {
      const answer = await server.stranger('GET', `/n/${server.newsletterId}?q=${encodeURIComponent(words)}`)
      return answer.body.includes(`/${slug}"`)
    }
    expect(await found(`${OPEN} ends`)).toBe(true)
    expect(await found(FREE)).toBe(true)
    for (const words of [SECRET, `${SECRET} text`, 'img.test', `${SECRET}other`]) expect(await found(words)).toBe(false)
  })

  test.each(['feed.xml', 'feed.json'])('reads in %s where the rest is', async (name) => {
    const feed = await server.stranger('GET', `/n/${server.newsletterId}/${name}`)
    expect(feed.body).toContain(`${OPEN} ends`)
    expect(feed.body).toContain('The rest is for paid subscribers')
  })
})

describe('by mail', () => {
  test.each(['free', 'ended'])('who is %s reads up to the paywall, and where the rest is', async (name) => {
    const { html, text, all } = await read(`${name}@example.org`, /Precedence: bulk/)
    expect(countIn(all)).toBe(0)
    for (const part of [html, text]) {
      expect(part).toContain(`${OPEN} ends`)
      expect(part).toContain(FREE)
      expect(part).toContain('The rest is for paid subscribers')
      expect(part).toContain(`http://tirage.test/n/${server.newsletterId}/${slug}`)
    }
  })

  test.each([
    ['paid', false],
    ['other', true],
  ])('who has the plan “%s” reads all of it', async (name, hasOther) => {
    const { html, text } = await read(`${name}@example.org`, /Precedence: bulk/)
    for (const part of [html, text]) {
      expect(part).toContain(`${SECRET} text`)
      expect(part.includes(`${SECRET}other text`)).toBe(hasOther)
      expect(part).not.toContain(FREE)
      expect(part).not.toContain('The rest is for paid subscribers')
    }
  })

  test('the digest tells what is open', async () => {
    const { db } = server.context
    const now = new Date('2100-01-05T12:00:00Z')
    await db.updateTable('digest_item').set({ at: now }).execute()
    await db.updateTable('subscriber').set({ pace_at: now }).where('pace', '=', 'weekly').execute()
    for (const at of [now, new Date(now.getTime() + 8 * 86_400_000)]) {
      await composeDigestsJob({ ...server.context, now: () => at })({}, {} as never)
      await server.work()
    }
    const { all } = await read('weekly@example.org', /Precedence: bulk/)
    expect(all).toContain(OPEN)
    expect(countIn(all)).toBe(0)
  })
})

describe('a member', () => {
  test('reads it whole with a key of any role, and finds it by its secret', async () => {
    for (const role of ['owner', 'editor', 'analyst']) {
      const made = await server.owner.call('POST', `${server.path}/api-keys`, { name: role, role })
      const call = server.withKey(made.json().secret)
      const whole = await call('GET', `${server.path}/publications/${publicationId}`)
      expect(whole.body).toContain(`${SECRET} text`)
      const list = await call('GET', `${server.path}/publications?search=${SECRET}`)
      expect(list.json().rows).toHaveLength(1)
      expect(countIn(list.body)).toBe(0)
    }
  })

  test('sees it as those who have not paid, or have', async () => {
    const preview = async (reader?: string) => {
      const answer = await server.owner.call('POST', `${server.path}/publications/${publicationId}/preview`, { reader })
      const { isGated, preheader, web, email, text } = answer.json()
      expect(isGated).toBe(true)
      return [web, email, text, preheader].map(countIn)
    }
    expect(await preview('free')).toEqual([0, 0, 0, 0])
    const whole = await preview()
    expect(whole.slice(0, 3).every((count) => count > 20)).toBe(true)
  })

  test('gets a test mail as those who have not paid, or have', async () => {
    for (const [reader, sees] of [
      ['free', false],
      ['paid', true],
    ] as const) {
      relay.received.length = 0
      const path = `${server.path}/publications/${publicationId}/test`
      const sent = await server.owner.call('POST', path, { to: [server.owner.email], reader })
      expect(sent.statusCode, sent.body).toBe(200)
      const { all } = await read(server.owner.email, /\[Test for: a reader /)
      expect(all.includes(`${SECRET} text`)).toBe(sees)
    }
  })
})

test('who pays when their copy is made reads all of it, whatever they had when it was planned', async () => {
  const { id } = await server.draft({
    title: 'High tide',
    content: { type: 'doc', content: [paragraph(OPEN), { type: 'paywall' }, paragraph(SECRET)] },
  })
  relay.received.length = 0
  await server.send(id)
  const { db } = server.context
  await addPaidSubscription(db, { newsletterId: server.newsletterId, subscriberId: free })
  await server.work()
  expect((await read('free@example.org', /High tide/)).all).toContain(SECRET)
  expect((await read('ended@example.org', /High tide/)).all).not.toContain(SECRET)
})
