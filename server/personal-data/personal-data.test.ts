import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addAccountLine } from '../audit/lines.ts'
import { publicId, uuidv7 } from '../database/ids.ts'
import { recordFeedback } from '../feedback/feedback.ts'
import { Signer } from '../http/signing.ts'
import { deleteAccount } from '../identity/profile.ts'
import { enqueue } from '../jobs/queue.ts'
import { changeByConsent, suppress } from '../subscribers/change.ts'
import { receiptOf } from '../subscribers/consent.ts'
import { isErased } from '../subscribers/erased-addresses.ts'
import { proofOf } from '../subscribers/import/proof.ts'
import { makeStaging } from '../subscribers/import/staging.ts'
import { liftSuppressions } from '../subscribers/lift.ts'
import { ReceiptChainer } from '../subscribers/receipts/chainer.ts'
import { addPaidSubscription } from '../testing/charge.ts'
import { startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'
import { eraseNewsletter, eraseSubscriber, eraseUser } from './erase.ts'
import { exportSubscriber, exportUser, QUEUED_MAIL } from './export.ts'
import { mergeGuest } from './merge.ts'
import { heldOfSubscribers, heldOfUsers } from './register.ts'

let server: TestNewsletter
beforeAll(async () => {
  server = await startTestNewsletter()
})
afterAll(() => server?.stop())

/** The tables in which a text occurs in any column. */
async function tablesWith(text: string): Promise<string[]> {
  const { db } = server.context
  const { rows: tables } = await sql<{ name: string }>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
      and not relispartition order by 1`.execute(db)
  const found: string[] = []
  for (const { name } of tables) {
    const { rows } = await sql`
      select from ${sql.table(name)} t where position(${text} in t::text) > 0 limit 1`.execute(db)
    if (rows.length > 0) found.push(name)
  }
  return found
}

/** A mail that no relay took in all attempts: its job stays in the queue. */
async function queueFailedMail(to: string, newsletterId: string | null) {
  const { db } = server.context
  await enqueue(db, 'send_mail', { to, newsletterId, subject: 'Please confirm', html: '', text: 'secret' })
  await sql`update graphile_worker._private_jobs set attempts = max_attempts
    where payload ->> 'to' = ${to}`.execute(db)
}

/** A subscriber of whom every table of the register holds something. */
async function wellKnownSubscriber(email: string) {
  const { newsletterId, context } = server
  const { db } = context
  const [subscriberId = ''] = await server.addSubscribers([email], 'Ada Lovelace')
  const { id: publicationId } = await server.draft()
  await server.send(publicationId)
  await server.work()
  const receipt = receiptOf('leave', {
    newsletter: { name: 'Low Water' },
    language: 'en',
    means: 'page',
    network: '192.0.2.0/24',
  })
  const key = { newsletterId, subscriberId }
  await changeByConsent(db, 'unsubscribed', [{ ...key, at: new Date(), receipt, publicationId }])
  const file = { newsletter_id: newsletterId, id: publicId() }
  const imported = { ...receipt, means: 'import' as const, proof: `${proofOf(file.id)} a paper form, line 2` }
  await changeByConsent(db, 'returned', [{ ...key, at: new Date(), receipt: imported }])
  await recordFeedback(
    db,
    { ...key, publicationId },
    { source: 'dsn', kind: 'soft', status: '4.2.2', words: `<${email}> full` },
  )
  await suppress(db, 'bounced', [{ ...key, publicationId, words: `550 <${email}> relay not permitted` }])
  await liftSuppressions(db, newsletterId, { which: { subscriberId }, by: { actor: 'system', reason: 'relay' } })
  await suppress(db, 'complained', [{ ...key, publicationId, words: `<${email}> complained` }])
  const link = { newsletter_id: newsletterId, id: `l${publicationId}`, target: 'https://example.org/' }
  await db.insertInto('short_link').values(link).execute()
  await db
    .insertInto('click')
    .values({
      newsletter_id: newsletterId,
      short_link_id: link.id,
      publication_id: publicationId,
      device: 'desktop',
      subscriber_id: subscriberId,
      at: new Date(),
    })
    .execute()
  await db
    .insertInto('confirmation_mail')
    .values({ newsletter_id: newsletterId, subscriber_id: subscriberId })
    .execute()
  const campaign = { newsletter_id: newsletterId, id: publicId() }
  await db
    .insertInto('campaign')
    .values({ ...campaign, kind: 'opt-in', name: 'Winter box' })
    .execute()
  await db
    .insertInto('opt_in_campaign')
    .values({ ...campaign, short_link_id: link.id })
    .execute()
  const yes = { version: 1, language: 'en', confirmed_at: new Date() } as const
  await db
    .insertInto('opt_in')
    .values({
      ...yes,
      newsletter_id: newsletterId,
      campaign_id: campaign.id,
      id: uuidv7(),
      subscriber_id: subscriberId,
      short_link_id: link.id,
    })
    .execute()
  const recommending = { newsletter_id: newsletterId, id: publicId() }
  await db
    .insertInto('campaign')
    .values({ ...recommending, kind: 'recommendation', name: 'Rope & Tar' })
    .execute()
  await db
    .insertInto('recommendation')
    .values({ ...recommending, position: 1 })
    .execute()
  await db
    .insertInto('recommendation_yes')
    .values({
      ...{ newsletter_id: newsletterId, id: uuidv7(), subscriber_id: subscriberId, at: new Date() },
      ...{ from_newsletter_id: newsletterId, campaign_id: recommending.id },
    })
    .execute()
  const askedBy = { from_newsletter_id: newsletterId, campaign_id: recommending.id }
  await db
    .insertInto('recommendation_asked')
    .values({ newsletter_id: newsletterId, subscriber_id: subscriberId, ...askedBy })
    .execute()
  await db
    .insertInto('recommendation_choice')
    .values({
      ...{ newsletter_id: newsletterId, subscriber_id: subscriberId },
      campaign_id: recommending.id,
      at: new Date(),
    })
    .execute()
  await db
    .insertInto('arrival')
    .values({ newsletter_id: newsletterId, subscriber_id: subscriberId, origin: 'https://a.example', from_id: 'x' })
    .execute()
  await db.insertInto('newcomer').values({ newsletter_id: newsletterId, subscriber_id: subscriberId }).execute()
  await db
    .insertInto('welcomed')
    .values({ newsletter_id: newsletterId, subscriber_id: subscriberId, segment_id: 0 })
    .execute()
  const segment = { newsletter_id: newsletterId, name: `Segment ${publicationId}`, filter: '{"all": []}' }
  const { id: segment_id } = await db.insertInto('segment').values(segment).returning('id').executeTakeFirstOrThrow()
  await db
    .insertInto('passed_over')
    .values({ newsletter_id: newsletterId, segment_id, subscriber_ids: [subscriberId] })
    .execute()
  await sql`insert into digest_item (newsletter_id, publication_id, sending_id, subscriber_id)
    select newsletter_id, publication_id, id, ${subscriberId} from sending where newsletter_id = ${newsletterId} limit 1`.execute(
    db,
  )
  const tag = { newsletter_id: newsletterId, name: `Tag ${publicationId}` }
  const { id: tag_id } = await db.insertInto('tag').values(tag).returning('id').executeTakeFirstOrThrow()
  await db
    .insertInto('subscriber_tag')
    .values({ newsletter_id: newsletterId, tag_id, subscriber_id: subscriberId })
    .execute()
  const change = {
    newsletter_id: newsletterId,
    id: uuidv7(),
    act: 'unsubscribe',
    state: 'done',
    language: 'en',
    total: 1,
  } as const
  await db.insertInto('bulk_change').values(change).execute()
  const own = { newsletter_id: newsletterId, subscriber_id: subscriberId }
  await db
    .insertInto('subscriber_note')
    .values({ ...own, id: uuidv7(), text: `${email} called` })
    .execute()
  await db
    .insertInto('subscriber_edit')
    .values({ ...own, id: uuidv7(), given: ['Friends'] })
    .execute()
  await db
    .insertInto('bulk_change_subscriber')
    .values({ newsletter_id: newsletterId, bulk_change_id: change.id, subscriber_id: subscriberId })
    .execute()
  await db
    .insertInto('import')
    .values({ ...file, state: 'checked', file_name: 'x.csv', bytes: 1, parts: 1 })
    .execute()
  await makeStaging(db, file.id)
  const row = { newsletter_id: newsletterId, import_id: file.id, line: 2 }
  await db
    .insertInto('import_row')
    .values({ ...row, subscriber_id: subscriberId, email, email_normalised: email.toLowerCase() })
    .execute()
  await db
    .insertInto('import_refusal')
    .values({ ...row, reason: 'left_before', cell: email })
    .execute()
  await addPaidSubscription(db, key)
  const reading = {
    newsletter_id: newsletterId,
    subscriber_id: subscriberId,
    created_at: new Date(),
    seen_at: new Date(),
  }
  await db
    .insertInto('reader_session')
    .values({ ...reading, id: uuidv7(), token_hash: Buffer.alloc(32, publicationId) })
    .execute()
  const customer = {
    newsletter_id: key.newsletterId,
    subscriber_id: key.subscriberId,
    stripe_id: `cus_${publicationId}`,
    test: false,
  }
  await db.insertInto('stripe_customer').values(customer).execute()
  const bookingId = await addBooking({ newsletterId, email })
  const booked = { newsletter_id: newsletterId, id: uuidv7(), booking_id: bookingId, note: `By transfer of ${email}` }
  const sum = { kind: 'payment' as const, at: new Date(), currency: 'eur', amount: 41_000, means: 'transfer' as const }
  await db
    .insertInto('payment')
    .values({ ...booked, ...sum })
    .execute()
  const planId = (
    await db.selectFrom('plan').select('id').where('newsletter_id', '=', newsletterId).executeTakeFirstOrThrow()
  ).id
  const price = await db.selectFrom('price').select('id').where('plan_id', '=', planId).executeTakeFirstOrThrow()
  await db
    .insertInto('gift_order')
    .values({
      ...{
        newsletter_id: newsletterId,
        id: uuidv7(),
        plan_id: planId,
        price_id: price.id,
        months: 12,
        test: false,
        language: 'en',
      },
      ...{ buyer_email: email, recipient_email: email, message: 'Read on', created_at: new Date() },
    })
    .execute()
  const said = { customer: customer.stripe_id, stated_at: new Date(), body: JSON.stringify({ email }) }
  const ownEvent = { newsletter_id: newsletterId, id: `evt_${publicationId}`, type: 'invoice.paid', object_id: 'in_1' }
  await db
    .insertInto('payment_event')
    .values({ ...ownEvent, ...said })
    .execute()
  const comparison = { newsletter_id: newsletterId, id: uuidv7(), state: 'stopped', list: 'charges' } as const
  await db
    .insertInto('stripe_comparison')
    .values({ ...comparison, since: new Date() })
    .execute()
  await db
    .insertInto('stripe_difference')
    .values({ newsletter_id: newsletterId, comparison_id: comparison.id, object_id: 'in_1', changes: '{}', ...said })
    .execute()
  await new ReceiptChainer(context).drain()
  await queueFailedMail(email, newsletterId)
  return { key, publicationId }
}

test('a subscriber is given everything that is held of them', async () => {
  const { key, publicationId } = await wellKnownSubscriber('ada@example.org')
  const data = (await exportSubscriber(server.context.db, key)) ?? {}
  expect(Object.keys(data)).toEqual([
    ...heldOfSubscribers.map(({ table, person }) => `${table}.${person}`),
    QUEUED_MAIL,
  ])
  expect(Object.entries(data).filter(([, rows]) => rows.length === 0)).toEqual([])
  expect(data['subscriber.id']).toMatchObject([
    { email: 'ada@example.org', name: 'Ada Lovelace', status: 'complained' },
  ])
  const publication = expect.stringMatching(/./)
  expect(data['delivery.subscriber_id']).toMatchObject([
    { publication_id: publicationId, publication, email: 'ada@example.org' },
  ])
  expect(data['subscriber_tag.subscriber_id']).toMatchObject([{ tag: expect.stringMatching(/./) }])
  expect(data['subscription.subscriber_id']).toMatchObject([{ plan: expect.stringMatching(/./) }])
  expect(data['consent.subscriber_id']?.map(({ act }) => act).toSorted()).toEqual(['given', 'withdrawn', 'withdrawn'])
  expect(JSON.parse(JSON.stringify(data))).toEqual(data)
  expect(await exportSubscriber(server.context.db, { ...key, newsletterId: 'another' })).toBeNull()
})

test('an erased subscriber is named nowhere, and a hash keeps mail away from the address', async () => {
  const { key } = await wellKnownSubscriber('grace@example.org')
  expect(await tablesWith('grace@example.org')).toEqual([
    'booking',
    'delivery',
    'feedback',
    'gift_order',
    'import_refusal',
    'import_row',
    'lifted_suppression',
    'payment',
    'payment_event',
    'stripe_difference',
    'subscriber',
    'subscriber_note',
    'suppression',
  ])
  expect(await eraseSubscriber(server.context, key)).toBe(true)
  expect(await tablesWith('grace@example.org')).toEqual([])
  const { db, signer } = server.context
  const address = { newsletterId: key.newsletterId, normalised: 'grace@example.org' }
  expect(await isErased(db, signer, address)).toBe(true)
  expect(await isErased(db, signer, { ...address, normalised: 'hopper@example.org' })).toBe(false)
  expect(await isErased(db, signer, { ...address, newsletterId: 'another' })).toBe(false)
  expect(await isErased(db, new Signer('another secret'), address)).toBe(false)
  // A number without a name, so that the sums hold.
  expect(await tablesWith(key.subscriberId)).toEqual(['delivery', 'feedback'])
  expect(await exportSubscriber(server.context.db, key)).toBeNull()
  expect(await eraseSubscriber(server.context, key)).toBe(false)
})

/** Somebody of whom every table of the register holds something. */
async function busyUser(email: string) {
  const { db } = server.context
  const user = await server.signUp({ name: 'Hal', email })
  const { newsletterId } = server
  await db.insertInto('member').values({ newsletter_id: newsletterId, user_id: user.userId, role: 'owner' }).execute()
  await user.call('PATCH', '/api/me/profile', { mode: 'dark' })
  await user.call('POST', '/api/analytics/events', { events: [{ name: 'login', params: { method: 'email' } }] })
  await user.call('POST', `${server.path}/api-keys`, { name: 'Form', role: 'editor' })
  const made = await user.call('POST', `${server.path}/publications`, { title: 'Tides' })
  const { id, revision } = made.json()
  await user.call('PATCH', `${server.path}/publications/${id}`, { revision, title: 'Spring tides' })
  const dropped = (await user.call('POST', `${server.path}/publications`, { title: 'Neap tides' })).json()
  await user.call('DELETE', `${server.path}/publications/${dropped.id}`)
  const invitation = { newsletter_id: newsletterId, role: 'editor', expires_at: new Date(Date.now() + 1e9) } as const
  await db
    .insertInto('invitation')
    .values([
      {
        ...invitation,
        id: `by${id}`,
        email: 'friend@example.org',
        invited_by: user.userId,
        token_hash: Buffer.from(`by${id}`),
      },
      { ...invitation, id: `to${id}`, email: email.toUpperCase(), token_hash: Buffer.from(`to${id}`) },
    ])
    .execute()
  const audited = {
    newsletter_id: newsletterId,
    id: uuidv7(),
    act: 'suppressions_lifted',
    reason: 'our relay',
    detail: '{}',
  }
  await db
    .insertInto('audit')
    .values([
      { ...audited, actor: 'member', user_id: user.userId },
      { ...audited, id: uuidv7(), actor: 'operator', about_user_id: user.userId },
      { ...audited, id: uuidv7(), actor: 'operator', detail: JSON.stringify({ email: email.toUpperCase() }) },
    ])
    .execute()
  const came = { act: 'signed_in', method: 'password', network: '192.0.2.7', device: 'Firefox' } as const
  await addAccountLine(server.context, { userId: user.userId, ...came })
  const media = { storage_key: id, file_name: 'tide.png', mime: 'image/png', bytes: 1, width: 1, height: 1 }
  await db
    .insertInto('media')
    .values({ ...media, newsletter_id: newsletterId, id, created_by: user.userId })
    .execute()
  const change = {
    newsletter_id: newsletterId,
    id: uuidv7(),
    act: 'unsubscribe',
    state: 'done',
    language: 'en',
    total: 1,
  } as const
  await db
    .insertInto('import')
    .values({
      newsletter_id: newsletterId,
      id: publicId(),
      state: 'done',
      file_name: 'x.csv',
      bytes: 1,
      created_by: user.userId,
    })
    .execute()
  await db
    .insertInto('bulk_change')
    .values({ ...change, user_id: user.userId })
    .execute()
  const { id: subscriber_id } = await db
    .selectFrom('subscriber')
    .select('id')
    .where('newsletter_id', '=', newsletterId)
    .limit(1)
    .executeTakeFirstOrThrow()
  const about = { newsletter_id: newsletterId, subscriber_id, user_id: user.userId }
  await db
    .insertInto('subscriber_note')
    .values({ ...about, id: uuidv7(), text: 'Lends a boat' })
    .execute()
  await db
    .insertInto('subscriber_edit')
    .values({ ...about, id: uuidv7(), given: ['Friends'] })
    .execute()
  const bookingId = await addBooking({ newsletterId, email: 'ada@halyard.example' })
  await db
    .insertInto('booking_step')
    .values({
      ...{ newsletter_id: newsletterId, booking_id: bookingId, user_id: user.userId },
      ...{ at: new Date(), act: 'accept', state: 'accepted', actor: 'member', words: 'With pleasure' },
    })
    .execute()
  await db.insertInto('sender_proof').values({ newsletter_id: newsletterId, address: email.toLowerCase() }).execute()
  const device = { public_key: 'of Hal', counter: 0, device_type: 'multiDevice', backed_up: true }
  await db
    .insertInto('passkey')
    .values({ ...device, id: `pk${id}`, credential_id: `credential${id}`, user_id: user.userId, name: 'Phone' })
    .execute()
  await db
    .insertInto('two_factor')
    .values({ user_id: user.userId, secret: Buffer.from('sealed') })
    .execute()
  await db
    .insertInto('recovery_code')
    .values({ user_id: user.userId, hash: Buffer.from('hash') })
    .execute()
  await server.inject({
    method: 'POST',
    url: '/api/auth/sign-in/magic-link',
    headers: { origin: 'http://tirage.test' },
    payload: { email },
  })
  return user
}

/** A booking of a sponsor; answers its id. */
async function addBooking({ newsletterId, email }: { newsletterId: string; email: string }): Promise<string> {
  const { db } = server.context
  const { id: placementId } = await db
    .insertInto('placement')
    .values({ newsletter_id: newsletterId, words: '{}', place: 'top', max_words: 60 })
    .returning('id')
    .executeTakeFirstOrThrow()
  const id = uuidv7()
  await db
    .insertInto('booking')
    .values({
      ...{ newsletter_id: newsletterId, id, placement_id: placementId, day: '2098-01-02', seat: 1, email },
      ...{ state: 'requested', sponsor: 'Halyard Books', contact: 'Ada', language: 'en', currency: 'eur', amount: 1 },
      ...{ message: `Write to ${email}`, note: `Known as ${email}`, requested_at: new Date() },
      ...{ max_words: 60, takes_image: true, lead_days: 5 },
    })
    .execute()
  return id
}

test('mails to an erased subscriber that no relay took leave the job queue, and those to others stay', async () => {
  const { key } = await wellKnownSubscriber('Mary@Example.org')
  await queueFailedMail('Mary@Example.org', null)
  await queueFailedMail('other@example.org', key.newsletterId)
  const data = await exportSubscriber(server.context.db, key)
  expect(data?.[QUEUED_MAIL]).toEqual([{ subject: 'Please confirm', queued_at: expect.stringMatching(/^\d{4}-/) }])
  await eraseSubscriber(server.context, key)
  expect((await server.queuedMail('Mary@Example.org')).map(({ newsletterId }) => newsletterId)).toEqual([null])
  expect(await server.queuedMail('other@example.org')).toHaveLength(1)
})

test('a user is given everything that is held of them, and no secret', async () => {
  const { userId } = await busyUser('hal@example.org')
  const data = (await exportUser(server.context.db, userId)) ?? {}
  expect(Object.keys(data)).toEqual([...heldOfUsers.map(({ table, person }) => `${table}.${person}`), QUEUED_MAIL])
  expect(Object.entries(data).filter(([, rows]) => rows.length === 0)).toEqual([])
  expect(data['user.id']).toMatchObject([{ name: 'Hal', email: 'hal@example.org' }])
  const columns = new Set(Object.values(data).flatMap((rows) => rows.flatMap(Object.keys)))
  for (const secret of ['password', 'token', 'token_hash', 'hash', 'access_token', 'value'])
    expect(columns).not.toContain(secret)
  expect(await exportUser(server.context.db, 'nobody')).toBeNull()
})

test('an erased user is named nowhere, and what they made for a newsletter stays', async () => {
  const { userId } = await busyUser('ivo@example.org')
  await server.context.db.transaction().execute((tx) => eraseUser(tx, userId))
  expect(await tablesWith(userId)).toEqual([])
  expect(await tablesWith('ivo@example.org')).toEqual([])
  expect(await tablesWith('IVO@EXAMPLE.ORG')).toEqual([])
  expect(await tablesWith('Spring tides')).toContain('publication')
  expect(await server.queuedMail('ivo@example.org')).toEqual([])
})

test('whoever deletes their account is erased', async () => {
  const { userId } = await busyUser('noa@example.org')
  await deleteAccount(server.context.db, userId)
  expect(await tablesWith(userId)).toEqual([])
  expect(await tablesWith('noa@example.org')).toEqual([])
  expect(await tablesWith('NOA@EXAMPLE.ORG')).toEqual([])
})

test('a guest’s things become the user’s in every table, and the guest is gone with the rest', async () => {
  const guest = await busyUser('jo@example.org')
  const user = await server.signUp({ email: 'kim@example.org' })
  const { db } = server.context
  await mergeGuest(db, guest.userId, user.userId)
  expect(await tablesWith(guest.userId)).toContain('two_factor')
  await db.updateTable('user').set({ is_anonymous: true }).where('id', '=', guest.userId).execute()
  await mergeGuest(db, guest.userId, user.userId)
  expect(await tablesWith(guest.userId)).toEqual([])
  const data = (await exportUser(server.context.db, user.userId)) ?? {}
  for (const { table, person, merge } of heldOfUsers) {
    if (typeof merge !== 'object') expect([table, data[`${table}.${person}`]?.length]).not.toEqual([table, 0])
  }
})

test('a deleted newsletter leaves nothing', async () => {
  await wellKnownSubscriber('lea@example.org')
  expect(await server.queuedMail('lea@example.org')).toHaveLength(1)
  expect(await tablesWith(server.newsletterId)).toContain('click')
  await eraseNewsletter(server.context.db, server.newsletterId)
  expect(await tablesWith(server.newsletterId)).toEqual([])
  expect(await server.queuedMail('lea@example.org')).toEqual([])
})
