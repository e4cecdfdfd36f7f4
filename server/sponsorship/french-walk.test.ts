import { sql } from 'kysely'
import PostalMime, { type Email } from 'postal-mime'
import StripeSdk from 'stripe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { paragraph } from '../testing/newsletter.ts'
import { type RecordingRelay, startRecordingRelay } from '../testing/recording-relay.ts'
import { type ConnectedNewsletter, startConnectedNewsletter } from '../testing/stripe/connected.ts'
import { SECRET } from '../testing/stripe/history.ts'
import { dayAt } from './days.ts'
import { writtenDay, writtenMoment } from './public/words.ts'

// A booking in French, from the placement to the report: by the doors that an owner, a sponsor, Stripe and readers have.

const DAY_MS = 86_400_000
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
/** How many days lie before the first that is sold, which is today: a publication goes out by the real clock. */
const DAYS_AHEAD = 10
/** A walk of some twenty mails and requests. On busy cores each takes its time. */
const LONG = { timeout: 120_000 }
const readers = ['lea@example.org', 'malo@example.org']
const owners = 'ines@example.org'
let connected: ConnectedNewsletter
let server: ConnectedNewsletter['server']
let history: ConnectedNewsletter['history']
let relay: RecordingRelay
let placementId: number
beforeAll(async () => {
  relay = await startRecordingRelay()
  const env = { SMTP_URL: relay.url, SUBSCRIBE_LIMIT: '500', SUBSCRIBE_PRESSURE: '500' }
  connected = await startConnectedNewsletter({ clock: "Stripe's", env, daysAgo: DAYS_AHEAD })
  ;({ server, history } = connected)
  const { db } = server.context
  await db.updateTable('newsletter').set({ name: 'Marée basse', language: 'fr' }).execute()
  await db.insertInto('profile').values({ user_id: server.owner.userId, language: 'fr' }).execute()
  await server.addSubscribers(readers)
  await db.updateTable('subscriber').set({ language: 'fr' }).execute()
  const words = {
    fr: { name: 'Milieu', disclosure: 'Présenté par' },
    en: { name: 'Middle', disclosure: 'Presented by' },
  }
  const placement = { words, place: 'middle', maxWords: 12, leadDays: 3, prices: { eur: 41_000 } }
  placementId = (await call('POST', '/placements', placement)).id
  await call('PATCH', '/settings', { weekdays: [], page: 'open' })
})
afterAll(async () => {
  await connected?.stop()
  await relay?.stop()
})

const call = async (method: 'GET' | 'POST' | 'PATCH' | 'PUT', rest: string, body?: unknown) => {
  const answer = await server.owner.call(method, `${server.path}/sponsorship${rest}`, body)
  expect([rest, answer.statusCode, answer.statusCode === 200 ? '' : answer.body]).toEqual([rest, 200, ''])
  return answer.json()
}
const act = (id: string, done: string, more = {}) => call('POST', `/bookings/${id}/acts`, { act: done, ...more })
const form = (url: string, fields: Record<string, string>) =>
  server.inject({
    method: 'POST',
    url,
    payload: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'accept-language': 'fr', accept: 'text/html' },
  })
const job = async (name: string) => {
  await sql`select graphile_worker.add_job(${name})`.execute(server.context.db)
  await server.work()
}
let sold = 0
async function soldDay(): Promise<string> {
  const at = new Date(history.stripe.now().getTime() + (DAYS_AHEAD + sold) * DAY_MS)
  // As the calendar of the newsletter has it: late in the evening it is a day ahead of UTC.
  const day = dayAt({ timezone: 'Europe/Paris' }, at)
  sold += 1
  await call('PUT', '/days', { day, kind: 'added' })
  return day
}

const read = new Map<string, number>()
/** What somebody got since they looked last: each mail in French, and none with a word that was left in English. */
async function mailsTo(email: string): Promise<Email[]> {
  await server.work()
  const all = relay.received.filter(({ to }) => to === email)
  const fresh = all.slice(read.get(email) ?? 0)
  read.set(email, all.length)
  const mails = await Promise.all(fresh.map(({ raw }) => PostalMime.parse(raw)))
  for (const { html, text, subject } of mails) {
    expect(html).toMatch(/<html[^>]* lang="fr"/)
    expect(`${subject} ${text}`).not.toMatch(/\b(?:the|your|you|and|for)\b|\{\{|undefined/i)
  }
  return mails
}
/** Mails break lines, and French has spaces of several widths. */
const spaced = (text = '') => text.replaceAll(/\s+/g, ' ')
async function oneTo(email: string, { subject, text }: { subject: string; text: string }): Promise<string> {
  const mails = await mailsTo(email)
  expect(mails.map((mail) => spaced(mail.subject))).toEqual([subject])
  const said = spaced(mails[0]?.text)
  expect(said).toContain(text)
  return said
}
const pathIn = (text: string) =>
  /http:\/\/tirage\.test(\/(?:booking|report|sponsor\/confirm)\/[\w.~=-]+)/.exec(text)?.[1] ?? expect.fail(text)

interface Asked {
  id: string
  email: string
  own: string
  day: string
  /** As it is written. */
  on: string
}

/** Until when the slot of a sponsor is theirs, as it is written. */
async function heldUntil(email: string): Promise<string> {
  const { held_until } = await server.context.db
    .selectFrom('booking')
    .select('held_until')
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  return spaced(writtenMoment(held_until ?? expect.fail(email), { timezone: 'Europe/Paris' }, 'fr'))
}

/** A sponsor asks on the public page, confirms their address, and is accepted. */
async function accepted(sponsor: string): Promise<Asked> {
  const day = await soldDay()
  const on = spaced(writtenDay(day, 'fr'))
  const email = `rosa${sold}@quere.example`
  const page = `/sponsor/${server.newsletterId}`
  const offered = await server.inject({ url: page, headers: { 'accept-language': 'fr' } })
  expect(offered.body).toContain(`value="${placementId}:${day}"`)
  const asked = await form(page, { slot: `${placementId}:${day}`, currency: 'eur', sponsor, email })
  expect(asked.statusCode).toBe(303)
  const confirm = await oneTo(email, {
    subject: 'Confirmez votre demande à Marée basse',
    text: `l’emplacement « Milieu » du ${on}.`,
  })
  await form(pathIn(confirm), {})
  const own = pathIn(
    await oneTo(email, {
      subject: `Marée basse a reçu votre demande pour le ${on}`,
      text: 'Vous ne devez rien pour l’instant, et vous pouvez vous retirer.',
    }),
  )
  await oneTo(owners, {
    subject: `${sponsor} demande le ${on}`,
    text: `${sponsor} demande « Milieu » le ${on} pour 410 €. Répondez avant le ${await heldUntil(email)}, sinon le jour redevient libre.`,
  })
  const { id } = await server.context.db
    .selectFrom('booking')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  await act(id, 'accept')
  const accept = await oneTo(email, {
    subject: `Marée basse accepte votre demande pour le ${on}`,
    text: `« Milieu » le ${on} vous est gardé jusqu’au ${await heldUntil(email)}. Payez 410 € par carte sur votre page, et il est à vous.`,
  })
  expect(pathIn(accept)).toBe(own)
  return { id, email, own, day, on }
}

/** Pays by the button of the sponsor's page; answers what Stripe says then. */
async function paid({ own }: Asked): Promise<string[]> {
  const answer = await form(own, { act: 'pay' })
  const id = String(answer.headers.refresh).split('/c/pay/')[1] ?? expect.fail(answer.body)
  history.stripe.pay(history.account, id)
  return (await history.events()).map(({ body }) => body)
}
async function tell(bodies: string[]) {
  for (const payload of bodies) {
    const timestamp = Math.floor(history.stripe.now().getTime() / 1000)
    const signature = StripeSdk.webhooks.generateTestHeaderString({ payload, secret: SECRET, timestamp })
    const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
    const url = `/stripe/${server.newsletterId}`
    expect((await server.inject({ method: 'POST', url, payload, headers })).statusCode).toBe(200)
  }
  await server.work()
}

test(
  'a sponsor asks, pays by card, is read in a real sending and gets a report, and every mail on the way is good French',
  LONG,
  async () => {
    const sponsor = 'Maison Quéré'
    const booking = await accepted(sponsor)
    const { id, email, own, on } = booking
    await tell(await paid(booking))
    const due = spaced(writtenDay(new Date(Date.parse(booking.day) - 3 * DAY_MS).toISOString().slice(0, 10), 'fr'))
    await oneTo(email, {
      subject: 'Marée basse a reçu votre paiement',
      text: `Merci : 410 € pour « Milieu » le ${on}. Votre texte est attendu pour le ${due}.`,
    })
    await oneTo(owners, {
      subject: `${sponsor} a payé pour le ${on}`,
      text: `${sponsor} a payé 410 € par carte pour « Milieu » le ${on}. Le jour lui revient. Son texte est attendu pour le ${due}.`,
    })
    const creative = { name: sponsor, text: 'Filets et cordages.', label: 'Voir', target: 'https://quere.example/' }
    expect((await form(own, { act: 'creative', ...creative })).headers.location).toContain('said=sent')
    await oneTo(owners, {
      subject: `${sponsor} a remis son texte pour le ${on}`,
      text: 'Rien ne paraît avant que vous le validiez.',
    })
    await act(id, 'approve')
    await oneTo(email, { subject: 'Votre texte pour Marée basse est validé', text: `votre texte paraît le ${on}.` })

    history.pass(DAYS_AHEAD)
    const slot = { type: 'sponsorSlot', attrs: { placementId, hideFromPaid: false } }
    const content = { type: 'doc', content: [paragraph('Deux fois par jour.'), slot, paragraph('La mer revient.')] }
    const { id: publicationId } = await server.draft({ title: 'La mer s’en va', content })
    expect((await server.send(publicationId)).statusCode).toBe(200)
    for (const reader of readers) {
      const [letter, ...more] = await mailsTo(reader)
      expect([letter?.subject, more]).toEqual(['La mer s’en va', []])
      expect(spaced(letter?.text)).toContain('[Présenté par]')
      expect(letter?.html).toContain('Filets et cordages.')
    }
    expect(await call('GET', `/bookings/${id}`)).toMatchObject({ state: 'ran', publication: { id: publicationId } })
    await oneTo(email, {
      subject: 'Vous étiez dans Marée basse',
      text: `Votre texte pour « Milieu » le ${on} est paru.`,
    })

    const { short_link_id: link } = await server.context.db
      .selectFrom('booking')
      .select('short_link_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    for (const agent of [BROWSER, 'curl/8.9.1']) {
      const followed = await server.inject({ url: `/r/${link}`, headers: { 'user-agent': agent } })
      expect([followed.statusCode, followed.headers.location]).toEqual([
        302,
        expect.stringContaining('https://quere.example/'),
      ])
    }
    history.pass(8)
    await job('report_bookings')
    const report = pathIn(
      await oneTo(email, {
        subject: 'Votre bilan dans Marée basse est définitif',
        text: `Sept jours sont passés depuis « Milieu » le ${on}, et ses chiffres ne changent plus`,
      }),
    )
    expect((await call('GET', `/bookings/${id}/report`)).report).toMatchObject({
      copies: { accepted: readers.length },
      clicks: { raw: 2, human: 1 },
    })
    expect((await call('GET', `/bookings/${id}`)).state).toBe('reported')
    const page = await server.inject({ url: report, headers: { 'accept-language': 'en' } })
    expect(page.body).toMatch(/<html lang="fr"/)
    expect(page.body).toContain('Définitif depuis')
    expect(await mailsTo(email)).toEqual([])
  },
)

test(
  'money by card that has no slot is told to both as what it is: too late, a second time, or back again',
  LONG,
  async () => {
    const late = await accepted('Atelier Morvan')
    const held = { held_until: new Date(history.stripe.now().getTime() - 1000) }
    await server.context.db.updateTable('booking').set(held).where('id', '=', late.id).execute()
    await job('expire_bookings')
    await oneTo(late.email, {
      subject: 'Votre jour dans Marée basse n’est plus gardé',
      text: `« Milieu » le ${late.on} vous était gardé, et le délai est passé.`,
    })
    const tooLate = await paid(late)
    await call('PUT', '/days', { day: late.day, kind: 'blocked' })
    await tell(tooLate)
    await oneTo(late.email, {
      subject: 'Votre paiement à Marée basse est arrivé trop tard',
      text: `Votre paiement de 410 € pour « Milieu » le ${late.on} est arrivé quand le jour n’était plus à vous. La newsletter le sait, et vous rend votre argent ou vous propose un autre jour.`,
    })
    await oneTo(owners, {
      subject: `Atelier Morvan a payé, et n’a pas de place le ${late.on}`,
      text: 'alors que le jour n’était plus réservé. Rien n’est perdu et rien n’est vendu deux fois.',
    })

    const twice = await accepted('Cordages Le Goff')
    const again = await paid(twice)
    await call('POST', `/bookings/${twice.id}/money`, { act: 'pay' })
    await mailsTo(twice.email)
    await tell(again)
    await oneTo(twice.email, {
      subject: 'Vous avez payé Marée basse deux fois',
      text: 'Rien ne change à votre réservation. La newsletter le sait, et vous rend ce second paiement.',
    })
    await oneTo(owners, {
      subject: `Cordages Le Goff a payé deux fois pour le ${twice.on}`,
      text: 'Rendez ce paiement.',
    })
    const page = spaced((await server.inject(`${twice.own}?said=paying`)).body)
    expect(page).toContain('Rien ne change à votre réservation')
    expect(page).not.toContain('n’était plus à vous')

    const back = await accepted('Voiles du Ponant')
    await tell(await paid(back))
    await act(back.id, 'cancel')
    await mailsTo(back.email)
    await mailsTo(owners)
    const { cardPayments } = await call('GET', `/bookings/${back.id}`)
    await history.api.refunds.create({ payment_intent: String(cardPayments[0].url.split('/').at(-1)) })
    const refunded = (await history.events()).map(({ body }) => body)
    await tell(refunded)
    await oneTo(back.email, { subject: 'Marée basse vous a rendu votre argent', text: 'Vous recevez un remboursement' })
    const event = JSON.parse(refunded.find((body) => body.includes('"refund.created"')) ?? '')
    const failed = { ...event.data.object, status: 'failed' }
    await tell([JSON.stringify({ ...event, id: `${event.id}_f`, type: 'refund.failed', data: { object: failed } })])
    await oneTo(back.email, {
      subject: 'Marée basse : votre remboursement n’est pas arrivé',
      text: `Votre banque n’a pas pris le remboursement de 410 € pour « Milieu » le ${back.on}.`,
    })
    await oneTo(owners, {
      subject: `Le remboursement pour le ${back.on} n’est pas arrivé à Voiles du Ponant`,
      text: 'et vous avez de nouveau 410 €. Rendez cette somme autrement, ou donnez un autre jour.',
    })
  },
)
