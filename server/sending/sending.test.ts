import PostalMime from 'postal-mime'
import { afterEach, expect, test } from 'vitest'
import { addNewsletter, paragraph, startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'
import { type RecordingRelay, type Script, startRecordingRelay } from '../testing/recording-relay.ts'
import { claimDeliveries, expireClaims } from './claims.ts'
import { findRunning, plan } from './deliveries.ts'
import type { AudienceSending } from './sending.ts'

const open: { stop(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.stop()
})

async function withRelay(script?: Script, password?: string): Promise<TestNewsletter & { relay: RecordingRelay }> {
  const relay = await startRecordingRelay(script, password)
  open.push(relay)
  const room = await startTestNewsletter({ SMTP_URL: relay.url })
  open.push(room)
  return { ...room, relay }
}

const addresses = (count: number) => Array.from({ length: count }, (_, index) => `subscriber${index}@example.org`)

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20))
}

const letter = {
  type: 'doc',
  content: [
    {
      type: 'paragraph',
      content: [
        { type: 'text', text: 'Dear ' },
        { type: 'mergeTag', attrs: { field: 'name', fallback: 'reader' } },
        { type: 'text', text: ', see ' },
        {
          type: 'text',
          text: 'the tide',
          marks: [{ type: 'link', attrs: { href: 'https://example.org/tide?a=1&b=2' } }],
        },
      ],
    },
    paragraph('L’été à Ménez-Du = mer basse.'),
  ],
}

test('each subscriber receives a publication as complete, personal MIME with the headers of a list', async () => {
  const { relay, ...room } = await withRelay()
  const [first] = await room.addSubscribers(['ada@example.org'], 'Ada <b>')
  await room.addSubscribers(['bob@example.org'])
  const { id } = await room.draft({ title: 'Été à la mer', content: letter })
  const sent = await room.send(id)
  expect(sent.json()).toMatchObject({ status: 'sending', number: 1 })
  await room.work()

  expect(await room.counts(id)).toEqual({ intended: 2, accepted: 2 })
  expect(await room.state(id)).toMatchObject({ status: 'sent' })
  const toAda = relay.received.find(({ to }) => to === 'ada@example.org')
  expect(toAda?.raw.split('\r\n').every((line) => line.length <= 998)).toBe(true)
  const mail = await PostalMime.parse(toAda?.raw ?? '')
  const header = (name: string) => mail.headers.find(({ key }) => key === name)?.value
  expect(mail).toMatchObject({ subject: 'Été à la mer', from: { address: 'ines@lowwater.test' } })
  expect(mail.to?.[0]?.address).toBe('ada@example.org')
  expect(mail.messageId).toBe(`<${id}.${first}@lowwater.test>`)
  expect(header('list-unsubscribe')).toContain(`<http://tirage.test/unsub/${room.newsletterId}/${first}?p=${id}>`)
  expect(header('list-unsubscribe')).toContain('mailto:')
  expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
  expect(header('list-id')).toContain(`<${room.newsletterId}.lowwater.test>`)
  expect(header('feedback-id')).toBe(`${id}:${room.newsletterId}:newsletter:tirage`)
  expect(header('precedence')).toBe('bulk')
  expect(mail.headers.filter(({ key }) => key === 'content-type')).toHaveLength(1)
  expect(mail.html).toContain('Dear Ada &#60;b&#62;')
  expect(mail.html).toContain('L’été à Ménez-Du = mer basse.')
  expect(mail.html).toContain(`/o/${room.newsletterId}/${id}/${first}.gif`)
  expect(mail.html).toMatch(/<img[^>]*src="http:\/\/tirage\.test\/[^"]*\/cover\/[^"]+\.png"[^>]*alt=""/)
  const byNight =
    /<source srcset="http:\/\/tirage\.test\/[^"]*\/cover\/[^"]+\.night\.png" media="\(prefers-color-scheme: dark\)"/i
  expect(mail.html).toMatch(byNight)
  expect(mail.text).toContain('Dear Ada <b>')
  expect(mail.text).toMatch(new RegExp(`http://tirage.test/r/\\w+\\?s=${first}`))
  expect(`${mail.html}${mail.text}`).not.toMatch(/mark[0-9a-f]{16}x/)
  const toBob = await PostalMime.parse(relay.received.find(({ to }) => to === 'bob@example.org')?.raw ?? '')
  expect(toBob.text).toContain('Dear reader')
  expect(toBob.html).not.toContain(first)
})

test('ten requests at the same time send it once, with one number', async () => {
  const { relay, ...room } = await withRelay()
  await room.addSubscribers(addresses(5))
  const { id } = await room.draft()
  const answers = await Promise.all(Array.from({ length: 10 }, () => room.send(id)))
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(10).fill(200))
  await Promise.all([room.work(), room.work()])
  expect(relay.received.map(({ to }) => to).sort()).toEqual(addresses(5))
  expect((await room.send(id)).json()).toMatchObject({ status: 'sent', number: 1 })
})

test('a deferred delivery is retried and accepted; a wrong address is suppressed and its subscriber is bounced', async () => {
  const { relay, ...room } = await withRelay((to, attempt) => {
    if (to === 'gone@example.org') return { code: 550, text: '5.1.1 no such user' }
    if (to === 'policy@example.org') return { code: 554, text: '5.7.1 not today' }
    return to === 'busy@example.org' && attempt === 1 ? { code: 451, text: '4.7.1 greylisted' } : null
  })
  await room.addSubscribers(['busy@example.org', 'gone@example.org', 'policy@example.org', 'ok@example.org'])
  const { id } = await room.draft()
  await room.send(id)
  await room.work()
  expect(await room.counts(id)).toEqual({ intended: 4, accepted: 1, deferred: 1, failed: 2 })
  expect(await room.state(id)).toMatchObject({ status: 'sending' })
  const { db } = room.context
  expect(await db.selectFrom('suppression').select(['email_normalised', 'reason']).execute()).toEqual([
    { email_normalised: 'gone@example.org', reason: 'bounced' },
  ])
  const statuses = await db.selectFrom('subscriber').select('email').where('status', '=', 'bounced').execute()
  expect(statuses).toEqual([{ email: 'gone@example.org' }])

  await db
    .updateTable('delivery')
    .set({ due_at: new Date(0) })
    .where('state', '=', 'deferred')
    .execute()
  await room.work()
  expect(await room.counts(id)).toEqual({ intended: 4, accepted: 2, failed: 2 })
  expect(await room.state(id)).toMatchObject({ status: 'sent' })
  expect(relay.received.map(({ to }) => to).sort()).toEqual(['busy@example.org', 'ok@example.org'])
  const list = await room.owner.call('GET', `${room.path}/publications/${id}/deliveries?state=failed`)
  expect(
    list
      .json()
      .rows.map((row: { answer: string }) => row.answer)
      .sort(),
  ).toEqual([expect.stringContaining('5.1.1 no such user'), expect.stringContaining('5.7.1 not today')])
})

test('a connection that breaks after the text leaves one uncertain delivery, which is not sent again', async () => {
  const { relay, ...room } = await withRelay((to) => (to === 'lost@example.org' ? 'hang up' : null))
  await room.addSubscribers(['lost@example.org'])
  const { id } = await room.draft()
  await room.send(id)
  await room.work()
  expect(await room.counts(id)).toEqual({ intended: 1, uncertain: 1 })
  expect(await room.state(id)).toMatchObject({ status: 'sent' })
  expect(relay.received).toEqual([])
})

test('a relay that refuses the login pauses the sending with that reason', async () => {
  const room = await withRelay(undefined, 'right')
  await room.addSubscribers(addresses(3))
  const { id } = await room.draft()
  await room.send(id)
  await room.work()
  expect(await room.state(id)).toEqual({ status: 'paused', stopped_by: 'relay_refused' })
  expect(await room.counts(id)).toEqual({ intended: 3, queued: 3 })
  const test = await room.owner.call('POST', `${room.path}/publications/${id}/test`, {})
  expect(test.json().error).toMatchObject({ code: 'relay_refused', message: expect.stringContaining('535') })
})

test('a relay that cannot be reached for longer than `patienceMs` pauses the sending with that reason', async () => {
  const room = await startTestNewsletter({ SMTP_URL: 'smtp://relay.invalid:2525' })
  open.push(room)
  await room.addSubscribers(addresses(3))
  const { id } = await room.draft()
  await room.send(id)
  await room.work()
  expect(await room.state(id)).toEqual({ status: 'paused', stopped_by: 'relay_unreachable' })
  expect(await room.counts(id)).toEqual({ intended: 3, queued: 3 })
  const read = await room.owner.call('GET', `${room.path}/publications/${id}`)
  expect(read.json()).toMatchObject({ stoppedAnswer: expect.stringContaining('relay.invalid') })
  const test = await room.owner.call('POST', `${room.path}/publications/${id}/test`, {})
  expect(test.json().error).toMatchObject({ code: 'relay_unreachable' })
})

test('a pause stops a running sender; after it is resumed, each subscriber still gets one', {
  timeout: 40_000,
}, async () => {
  let slow = true
  const { relay, ...room } = await withRelay(() => (slow ? 'wait' : null))
  await room.addSubscribers(addresses(40))
  const { id } = await room.draft()
  await room.send(id)
  const running = room.work()
  await until(async () => (await room.counts(id)).claimed === 20)
  const paused = await room.owner.call('POST', `${room.path}/publications/${id}/pause`, {})
  expect(paused.json()).toMatchObject({ status: 'paused' })
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  slow = false
  relay.release()
  await running
  const stopped = await room.counts(id)
  expect(stopped.accepted).toBeLessThan(40)
  expect((stopped.accepted ?? 0) + (stopped.queued ?? 0)).toBe(40)
  await room.owner.call('POST', `${room.path}/publications/${id}/resume`, {})
  await room.work()
  expect(await room.counts(id)).toEqual({ intended: 40, accepted: 40 })
  expect(new Set(relay.received.map(({ to }) => to)).size).toBe(40)
  expect(relay.received).toHaveLength(40)
})

test('after a cancellation the waiting deliveries are suppressed, and the counts still add up', async () => {
  const room = await withRelay(() => ({ code: 451, text: 'later' }))
  await room.addSubscribers(addresses(4))
  const { id } = await room.draft()
  await room.send(id)
  await room.work()
  const cancelled = await room.owner.call('POST', `${room.path}/publications/${id}/cancel`, {})
  expect(cancelled.json()).toMatchObject({ status: 'cancelled' })
  expect(await room.counts(id)).toEqual({ intended: 4, suppressed: 4 })
  const resumed = await room.owner.call('POST', `${room.path}/publications/${id}/resume`, {})
  expect(resumed.json().error.code).toBe('wrong_status')
})

async function runningOf({ context }: TestNewsletter, publicationId: string): Promise<AudienceSending> {
  const running = (await findRunning(context.db)).find((sending) => sending.publicationId === publicationId)
  if (!running) throw new Error('nothing is being sent')
  return running
}

test('suppressed addresses, and subscribers who left since the plan, get nothing', async () => {
  const { relay, ...room } = await withRelay()
  const ids = await room.addSubscribers(['stays@example.org', 'suppressed@example.org', 'leaves@example.org'])
  const { db } = room.context
  const { newsletterId } = room
  const suppression = {
    newsletter_id: newsletterId,
    email_normalised: 'suppressed@example.org',
    reason: 'by_hand',
  } as const
  await db.insertInto('suppression').values(suppression).execute()
  const { id } = await room.draft()
  await room.send(id)
  await plan(db, await runningOf(room, id))
  await db
    .updateTable('subscriber')
    .set({ status: 'unsubscribed' })
    .where('id', '=', ids[2] ?? '')
    .execute()
  await room.work()
  expect(relay.received.map(({ to }) => to)).toEqual(['stays@example.org'])
  expect(await room.counts(id)).toEqual({ intended: 3, accepted: 1, suppressed: 2 })
})

test('the claims of a killed worker become uncertain, and another worker sends the rest', async () => {
  const { relay, ...room } = await withRelay()
  await room.addSubscribers(addresses(5))
  const { id } = await room.draft()
  await room.send(id)
  const { db } = room.context
  const sending = await runningOf(room, id)
  await plan(db, sending)
  const { claimed } = await claimDeliveries(db, sending, { worker: 'killed', limit: 2, leaseSeconds: 0 })
  expect(claimed).toHaveLength(2)
  expect(await expireClaims(db, sending, 60)).toBe(0)
  expect(await expireClaims(db, sending, -1)).toBe(2)
  await room.work()
  expect(await room.counts(id)).toEqual({ intended: 5, accepted: 3, uncertain: 2 })
  expect(relay.received).toHaveLength(3)
})

test('without a relay mail is caught: a newsletter sees its own, a member their own, and nobody that of others', async () => {
  const room = await startTestNewsletter()
  open.push(room)
  await room.addSubscribers(['ada@example.org'])
  const { id } = await room.draft()
  await room.send(id)
  await room.work()
  const box = (await room.owner.call('GET', `${room.path}/outbox`)).json()
  expect(box.caught).toBe(true)
  const subjects = box.rows.map(({ subject }: { subject: string }) => subject)
  expect(subjects).toContain('Low tide')

  const other = await room.signUp({ email: 'other@example.org' })
  const otherNewsletter = await addNewsletter(room.context.db, other.userId, 'Other')
  await room.work()
  const theirs = (await other.call('GET', `/api/newsletters/${otherNewsletter}/outbox`)).json()
  expect(theirs.rows.every(({ to }: { to: string }) => to.includes('other@example.org'))).toBe(true)
  const mailId = box.rows.find(({ subject }: { subject: string }) => subject === 'Low tide').id
  const peek = await other.call('GET', `/api/newsletters/${otherNewsletter}/outbox/${mailId}`)
  expect(peek.statusCode).toBe(404)
  expect((await other.call('GET', `${room.path}/outbox`)).statusCode).toBe(404)
  const again = (await room.owner.call('GET', `${room.path}/outbox`)).json()
  expect(JSON.stringify(again)).not.toContain('other@example.org')

  const read = (await room.owner.call('GET', `${room.path}/outbox/${mailId}`)).json()
  expect(read.html).toContain('Content-Security-Policy')
  expect(read.source).toContain('List-Unsubscribe-Post')
  expect(read.headers.length).toBeGreaterThan(8)
})

test('uncertain deliveries are sent again or closed as the owner decides, and the counts add up', async () => {
  let hangUp = true
  const { relay, ...room } = await withRelay(() => (hangUp ? 'hang up' : null))
  await room.addSubscribers(addresses(2))
  const { id } = await room.draft()
  await room.send(id)
  await room.work()
  expect(await room.counts(id)).toEqual({ intended: 2, uncertain: 2 })
  hangUp = false
  const decide = (act: string) =>
    room.owner.call('POST', `${room.path}/publications/${id}/deliveries/uncertain`, { act })
  expect((await decide('resend')).json()).toEqual({ decided: 2 })
  await room.work()
  expect(await room.counts(id)).toEqual({ intended: 2, accepted: 2 })
  expect(await room.state(id)).toMatchObject({ status: 'sent' })
  expect(relay.received.map(({ to }) => to).sort()).toEqual(addresses(2))
  expect((await decide('resend')).json()).toEqual({ decided: 0 })
  const { db } = room.context
  await db.updateTable('delivery').set({ state: 'uncertain' }).where('publication_id', '=', id).execute()
  expect((await decide('close')).json()).toEqual({ decided: 2 })
  await room.work()
  expect(await room.counts(id)).toEqual({ intended: 2, failed: 2 })
  expect(relay.received).toHaveLength(2)
})
