import { sql } from 'kysely'
import PostalMime from 'postal-mime'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestNewsletter, type TestNewsletter } from '../../testing/newsletter.ts'
import { type RecordingRelay, startRecordingRelay } from '../../testing/recording-relay.ts'
import { writtenMoment } from './words.ts'

// What a sponsor who reads French gets by mail, from their request to the end: each step once, with a link that works.

const HOUR_MS = 3_600_000
const DAY = 'samedi 5 décembre 2026'
let now: Date
let server: TestNewsletter
let relay: RecordingRelay
let placementId: number
beforeAll(async () => {
  now = new Date('2026-11-23T09:00:00Z')
  relay = await startRecordingRelay()
  server = await startTestNewsletter(
    { SMTP_URL: relay.url, SUBSCRIBE_LIMIT: '500', SUBSCRIBE_PRESSURE: '500' },
    () => now,
  )
  const words = {
    en: { name: 'Middle', disclosure: 'A word from our sponsor' },
    fr: { name: 'Milieu', disclosure: 'Présenté par' },
  }
  const values = { words, place: 'middle', maxWords: 10, leadDays: 3, prices: { eur: 41_000 }, seats: 6 }
  placementId = (await call('POST', '/placements', values)).id
  await call('PATCH', '/settings', { weekdays: [6], page: 'open' })
})
afterAll(async () => {
  await server?.stop()
  await relay?.stop()
})
beforeEach(() => {
  now = new Date('2026-11-23T09:00:00Z')
})

const call = async (method: 'GET' | 'POST' | 'PATCH' | 'PUT', rest: string, body?: unknown) =>
  (await server.owner.call(method, `${server.path}/sponsorship${rest}`, body)).json()
const act = (id: string, done: string, words = '') => call('POST', `/bookings/${id}/acts`, { act: done, words })
const money = (id: string, done: string) => call('POST', `/bookings/${id}/money`, { act: done })
const form = (url: string, fields: Record<string, string>) =>
  server.inject({
    method: 'POST',
    url,
    payload: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'http://tirage.test' },
  })
const job = (name: string) => sql`select graphile_worker.add_job(${name})`.execute(server.context.db)
const creative = {
  ...{ act: 'creative', name: 'Maison Quéré', text: 'Filets et cordages.' },
  ...{ label: 'Voir', target: 'https://quere.example/' },
}

/** Mails break lines, and French has spaces of several widths. */
const spaced = (sentence: string) => sentence.replaceAll(/\s+/g, ' ')

interface Expected {
  subject: string
  text: string
}

/** What a sponsor got since it was asked the last time. */
class Inbox {
  #read = 0

  constructor(readonly email: string) {}

  async #fresh() {
    await server.work()
    const all = relay.received.filter(({ to }) => to === this.email)
    const fresh = all.slice(this.#read)
    this.#read = all.length
    return Promise.all(fresh.map(({ raw }) => PostalMime.parse(raw)))
  }

  /** The link of the one mail that came, which says this in French and opens a page in French. */
  async link({ subject, text }: Expected): Promise<string> {
    const [mail, ...more] = await this.#fresh()
    expect([spaced(mail?.subject ?? ''), more.map((one) => one.subject)]).toEqual([subject, []])
    const plain = spaced(mail?.text ?? '')
    expect(plain).toContain(text)
    expect(mail?.html).toMatch(/<html[^>]* lang="fr"/)
    expect(plain).not.toMatch(/\b(?:the|your|you|to|for)\b/i)
    const path = /http:\/\/tirage\.test(\/(?:booking|report|sponsor\/confirm)\/[\w.~=-]+)/.exec(plain)?.[1] ?? ''
    // A browser in English: the page speaks to whoever the link names.
    const opened = await server.inject({ url: path, headers: { 'accept-language': 'en' } })
    expect([path.split('/')[1], opened.statusCode, /<html lang="fr"/.test(opened.body)]).toEqual([
      expect.any(String),
      200,
      true,
    ])
    return path
  }

  async nothing(): Promise<void> {
    expect(await this.all()).toEqual([])
  }

  /** The subjects of all that came. */
  async all(): Promise<string[]> {
    return (await this.#fresh()).map(({ subject }) => spaced(subject ?? ''))
  }
}

const sum = '410 €'
const hoursLater = (hours: number) =>
  spaced(writtenMoment(new Date(now.getTime() + hours * HOUR_MS), { timezone: 'Europe/Paris' }, 'fr'))
let people = 0

interface Asked {
  inbox: Inbox
  id: string
  own: string
}

/** A request from the form to its confirmation, with its two mails. */
async function asked(): Promise<Asked> {
  const inbox = new Inbox(`rosa${++people}@quere.example`)
  const fields = { slot: `${placementId}:2026-12-05`, currency: 'eur', sponsor: 'Maison Quéré', email: inbox.email }
  expect((await form(`/sponsor/${server.newsletterId}?lang=fr`, fields)).statusCode).toBe(303)
  const confirm = await inbox.link({
    subject: 'Confirmez votre demande à Low Water',
    text: `Voici votre demande à Low Water : l’emplacement « Milieu » du ${DAY}. Le bouton ouvre une page où vous la relisez et l’envoyez.`,
  })
  for (const _ of [1, 2]) expect((await form(confirm, {})).statusCode).toBe(303)
  const own = await inbox.link({
    subject: `Low Water a reçu votre demande pour le ${DAY}`,
    text: `L’emplacement « Milieu » du ${DAY} vous est gardé jusqu’au ${hoursLater(48)}, pour ${sum}.`,
  })
  const bookings = await server.context.db.selectFrom('booking').select(['id', 'email']).execute()
  return { inbox, own, id: bookings.find(({ email }) => email === inbox.email)?.id ?? '' }
}

async function accepted(): Promise<Asked> {
  const booking = await asked()
  await act(booking.id, 'accept', 'Nous aimons les cordages.')
  const own = await booking.inbox.link({
    subject: `Low Water accepte votre demande pour le ${DAY}`,
    text: `vous est gardé jusqu’au ${hoursLater(7 * 24)}, pour ${sum}. La newsletter vous dit comment payer. Nous aimons les cordages.`,
  })
  expect(own).toBe(booking.own)
  return booking
}

async function paid(): Promise<Asked> {
  const booking = await accepted()
  await money(booking.id, 'pay')
  const own = await booking.inbox.link({
    subject: 'Low Water a reçu votre paiement',
    text: `Merci : ${sum} pour « Milieu » le ${DAY}. Votre texte est attendu pour le mercredi 2 décembre 2026.`,
  })
  expect(own).toBe(booking.own)
  return booking
}

test('from a request to its report each step is mailed once, in French, with the sponsor’s own link', async () => {
  const { inbox, id, own } = await accepted()
  await money(id, 'invoice')
  const invoiced = {
    subject: 'Votre réservation dans Low Water est ferme',
    text: 'Votre texte est attendu pour le mercredi 2 décembre 2026.',
  }
  expect(await inbox.link(invoiced)).toBe(own)
  expect((await form(own, creative)).headers.location).toContain('said=sent')
  await inbox.nothing()
  await act(id, 'ask_changes', 'Sans le prix, s’il vous plaît.')
  const changes = {
    subject: 'Low Water vous demande de changer votre texte',
    text: 'demande un changement. Votre texte est attendu pour le mercredi 2 décembre 2026. Sans le prix, s’il vous plaît.',
  }
  expect(await inbox.link(changes)).toBe(own)
  await form(own, creative)
  await act(id, 'approve')
  const approved = {
    subject: 'Votre texte pour Low Water est validé',
    text: `Il ne reste rien à faire : votre texte paraît le ${DAY}.`,
  }
  expect(await inbox.link(approved)).toBe(own)
  // The text is in: the mail of the payment asks for none.
  await money(id, 'pay')
  const thanks = {
    subject: 'Low Water a reçu votre paiement',
    text: `Merci : ${sum} pour « Milieu », réservé pour le ${DAY}. Votre page dit où en est la réservation.`,
  }
  expect(await inbox.link(thanks)).toBe(own)
  now = new Date('2026-12-05T09:00:00Z')
  await act(id, 'run')
  const ran = {
    subject: 'Vous étiez dans Low Water',
    text: `Votre texte pour « Milieu » le ${DAY} est paru. Merci.`,
  }
  expect(await inbox.link(ran)).toBe(own)
  now = new Date(now.getTime() + 7 * 24 * HOUR_MS)
  for (const _ of [1, 2]) await job('report_bookings')
  const report = await inbox.link({
    subject: 'Votre bilan dans Low Water est définitif',
    text: `Sept jours sont passés depuis « Milieu » le ${DAY}, et ses chiffres ne changent plus`,
  })
  expect(report).toMatch(/^\/report\//)
  await inbox.nothing()
})

test('whose text was due before they booked is asked for it at once, by mail and on their page, and no day of the past is named', async () => {
  now = new Date('2026-12-04T09:00:00Z')
  const inbox = new Inbox('late@quere.example')
  const { id } = await call('POST', '/bookings', {
    ...{ placementId, day: '2026-12-05', sponsor: 'Maison Quéré', email: inbox.email },
    ...{ language: 'fr', currency: 'eur', amount: 41_000 },
  })
  const asked = `Votre texte est attendu dès que possible : la lettre part le ${DAY}.`
  const pageIn = async (own: string, language: string) =>
    spaced((await server.inject(`${own}?lang=${language}`)).body.replaceAll(/<[^>]*>/g, ' '))
  const english = 'Your text is needed as soon as you can send it: the letter goes out on Saturday 5 December 2026.'
  const own = new URL((await call('POST', `/bookings/${id}/link`, {})).url).pathname
  for (const done of ['accepted', 'invoice', 'pay', 'ask_changes']) {
    if (done === 'invoice' || done === 'pay') await money(id, done)
    if (done === 'ask_changes') {
      await form(own, creative)
      await act(id, done, 'Plus court.')
    }
    const subject = {
      invoice: 'Votre réservation dans Low Water est ferme',
      pay: 'Low Water a reçu votre paiement',
      ask_changes: 'Low Water vous demande de changer votre texte',
    }[done]
    if (subject) await inbox.link({ subject, text: asked })
    expect(await pageIn(own, 'fr')).toContain(`Votre texte dès que possible`)
    expect(await pageIn(own, 'fr')).toContain(asked)
    expect(await pageIn(own, 'en')).toContain(english)
  }
  expect((await pageIn(own, 'fr')).includes('2 décembre')).toBe(false)
  // Each step that was done says on which day.
  await form(own, creative)
  now = new Date('2026-12-05T09:00:00Z')
  await act(id, 'approve')
  const steps =
    'Accepté ven. 4 déc. Payé ou facturé ven. 4 déc. Votre texte ven. 4 déc. Validé sam. 5 déc. Parution sam. 5 déc.'
  expect(await pageIn(own, 'fr')).toContain(steps)
  await act(id, 'ask_changes', 'Plus court.')
  now = new Date('2026-12-06T09:00:00Z')
  expect(await pageIn(own, 'fr')).not.toContain('dès que possible')
})

test('a no, a time that is over and a withdrawal are mailed once, and nothing is owed', async () => {
  const declined = await asked()
  await act(declined.id, 'decline', 'Nous n’écrivons pas sur les cordages.')
  await declined.inbox.link({
    subject: `Low Water décline votre demande pour le ${DAY}`,
    text: `La newsletter ne peut pas prendre « Milieu » le ${DAY} pour Maison Quéré. Vous ne devez rien. Nous n’écrivons pas sur les cordages.`,
  })
  const withdrawn = await asked()
  for (const _ of [1, 2]) await form(withdrawn.own, { act: 'withdraw' })
  const gone = await withdrawn.inbox.link({
    subject: `Votre demande à Low Water pour le ${DAY} est retirée`,
    text: 'Vous ne devez rien, et le jour est libre pour d’autres.',
  })
  expect(gone).toBe(withdrawn.own)
  const expired = await asked()
  now = new Date(now.getTime() + 49 * HOUR_MS)
  for (const _ of [1, 2]) await job('expire_bookings')
  await expired.inbox.link({
    subject: 'Votre jour dans Low Water n’est plus gardé',
    text: `« Milieu » le ${DAY} vous était gardé, et le délai est passé.`,
  })
  for (const { inbox } of [declined, withdrawn, expired]) await inbox.nothing()
})

test('who paid and is cancelled is told of their money, and who did not that they owe nothing', async () => {
  const unpaid = await accepted()
  await act(unpaid.id, 'cancel', 'Le numéro est avancé.')
  const owesNothing = {
    subject: 'Votre réservation dans Low Water est annulée',
    text: `La newsletter a annulé « Milieu » du ${DAY}. Vous ne devez rien. Le numéro est avancé.`,
  }
  expect(await unpaid.inbox.link(owesNothing)).toBe(unpaid.own)
  const { id, inbox, own } = await paid()
  await act(id, 'cancel')
  const owed = {
    subject: 'Votre réservation dans Low Water est annulée',
    text: `Vous avez payé ${sum} : elle vous rend cette somme.`,
  }
  expect(await inbox.link(owed)).toBe(own)
  await money(id, 'refund')
  const back = {
    subject: 'Low Water vous a rendu votre argent',
    text: `Vous recevez un remboursement de ${sum} pour « Milieu » le ${DAY}.`,
  }
  expect(await inbox.link(back)).toBe(own)
  await inbox.nothing()
})

test('another day is mailed once, with the link of that day, and its money is told with the first', async () => {
  const { id, inbox, own } = await accepted()
  await money(id, 'invoice')
  await inbox.link({ subject: 'Votre réservation dans Low Water est ferme', text: 'Votre texte est attendu' })
  await form(own, creative)
  const made = await call('POST', `/bookings/${id}/make-good`, { day: '2026-12-12' })
  const other = await inbox.link({
    subject: 'Low Water vous donne un autre jour',
    text: `Vous recevez « Milieu » le samedi 12 décembre 2026 à la place du ${DAY}, sans supplément. Votre texte est repris. La facture de ${sum} reste à régler.`,
  })
  expect(other).not.toBe(own)
  expect((await server.inject(other)).body).toContain('12\u00a0décembre 2026')
  expect(made).toMatchObject({ state: 'creative_in', makesGood: id })
  await money(id, 'pay')
  const thanks = await inbox.link({
    subject: 'Low Water a reçu votre paiement',
    text: `Merci : ${sum} pour « Milieu », réservé pour le ${DAY}.`,
  })
  expect(thanks).toBe(own)
  await money(id, 'refund')
  await inbox.link({ subject: 'Low Water vous a rendu votre argent', text: 'Vous recevez un remboursement' })
  await inbox.nothing()
})

test('a day in place of an invoiced one is called paid nowhere, and says which invoice is still to pay', async () => {
  const { id, inbox, own } = await accepted()
  await call('POST', `/bookings/${id}/money`, { act: 'invoice', words: 'Par virement : FR76 1234.' })
  await inbox.link({ subject: 'Votre réservation dans Low Water est ferme', text: 'Par virement : FR76 1234.' })
  const made = await call('POST', `/bookings/${id}/make-good`, { day: '2026-12-12' })
  const other = await inbox.link({
    subject: 'Low Water vous donne un autre jour',
    text: `sans supplément. Votre texte est attendu pour le mercredi 9 décembre 2026. La facture de ${sum} reste à régler.`,
  })
  expect(made).toMatchObject({ state: 'replacement', amount: 0 })
  const { bookings } = await call('GET', '/calendar?from=2026-12-12&to=2026-12-12')
  expect(bookings.find((one: { id: string }) => one.id === made.id)).toMatchObject({ state: 'replacement' })
  expect((await call('GET', `/bookings/${made.id}`)).unpaidFor).toEqual({ id, currency: 'eur', amount: 41_000 })
  expect(await call('GET', `/bookings/${made.id}`)).toMatchObject({ makesGood: id, insteadOf: '2026-12-05' })
  const read = async (path: string) => spaced((await server.inject(path)).body.replaceAll(/<[^>]*>/g, ' '))
  const page = await read(other)
  expect(page).toContain('Milieu, samedi 12 décembre 2026, sans supplément')
  expect(page).toContain('Jour donné')
  expect(page).toContain(
    `Ce jour remplace celui que vous aviez réservé, sans supplément. La facture de ${sum} reste à régler.`,
  )
  expect(page).toContain('Par virement : FR76 1234.')
  expect(page).not.toMatch(/[Pp]ayé|Demandé/)
  expect(await read(own)).toContain(
    `Un autre jour vous a été donné : le samedi 12 décembre 2026. Le lien vous a été envoyé par email. La facture de ${sum} reste à régler.`,
  )
  // Whoever loses that day too owes nothing, and whoever has paid is asked for nothing.
  await money(id, 'pay')
  expect(await read(other)).not.toContain('reste à régler')
  expect((await call('GET', `/bookings/${made.id}`)).unpaidFor).toBeNull()
})

test('whoever loses the other day too reads on both pages which money comes back', async () => {
  const { id, own } = await accepted()
  await money(id, 'pay')
  const made = await call('POST', `/bookings/${id}/make-good`, { day: '2026-12-12' })
  const { url } = await call('POST', `/bookings/${made.id}/link`, {})
  await act(made.id, 'cancel')
  const read = async (path: string) => spaced((await server.inject(path)).body.replaceAll(/<[^>]*>/g, ' '))
  expect(await read(own)).toContain(
    `Un autre jour vous avait été donné, le samedi 12 décembre 2026, et il a été annulé. Vous avez payé ${sum} : la newsletter vous rend cette somme.`,
  )
  expect(await read(new URL(url).pathname)).toContain(
    `Cette réservation a été annulée. Vous avez payé ${sum} pour le jour qu’elle remplaçait : la newsletter vous rend cette somme.`,
  )
})

test('whoever loses the other day too is no longer told of an invoice to pay', async () => {
  const { id, own } = await accepted()
  await money(id, 'invoice')
  const made = await call('POST', `/bookings/${id}/make-good`, { day: '2026-12-12' })
  const { url } = await call('POST', `/bookings/${made.id}/link`, {})
  await act(made.id, 'cancel')
  for (const path of [own, new URL(url).pathname]) {
    expect((await server.inject(path)).body).not.toContain('reste à régler')
    expect((await server.inject(path)).body).toContain('Vous ne devez rien.')
  }
  // Nor is its owner, on the booking or in what is due.
  expect((await call('GET', `/bookings/${made.id}`)).unpaidFor).toBeNull()
  now = new Date(now.getTime() + 40 * 24 * HOUR_MS)
  const due = (await call('GET', '/bookings?which=due&limit=200')).rows.map((row: { id: string }) => row.id)
  expect(due).not.toContain(id)
})

test.each(['invoice', 'pay'] as const)(
  'whose text ran keeps its price when only the day that was given after it is cancelled (%s)',
  async (means) => {
    const { id, inbox, own } = await accepted()
    await money(id, means)
    await form(own, creative)
    await act(id, 'approve')
    now = new Date('2026-12-05T10:00:00Z')
    await act(id, 'run')
    const made = await call('POST', `/bookings/${id}/make-good`, { day: '2026-12-12' })
    // It ran where it was sold: the calendar has it there, with its price, whatever becomes of the other day.
    const sold = async () =>
      (await call('GET', '/calendar?from=2026-12-05&to=2026-12-12')).bookings
        .filter((one: { id: string }) => one.id === id || one.id === made.id)
        .map((one: { day: string; soldFor: number }) => [one.day, one.soldFor])
    expect(await sold()).toEqual([
      ['2026-12-05', 41_000],
      ['2026-12-12', 0],
    ])
    const { url } = await call('POST', `/bookings/${made.id}/link`, {})
    await inbox.all()
    await act(made.id, 'cancel')
    expect(await sold()).toEqual([['2026-12-05', 41_000]])
    const isUnpaid = means === 'invoice'
    await inbox.link({
      subject: 'Votre réservation dans Low Water est annulée',
      text: `La newsletter a annulé « Milieu » du samedi 12 décembre 2026, qui vous avait été donné à la place du ${DAY}. Votre texte est paru le ${DAY} : ${isUnpaid ? `la facture de ${sum} reste à régler` : 'son prix ne change pas'}.`,
    })
    const read = async (path: string) => spaced((await server.inject(path)).body.replaceAll(/<[^>]*>/g, ' '))
    const first = await read(own)
    expect(first).toContain(`Votre texte est paru le ${DAY}. Un autre jour vous avait été donné en plus`)
    expect(first.includes(`La facture de ${sum} reste à régler.`)).toBe(isUnpaid)
    const other = await read(new URL(url).pathname)
    expect(other).toContain(`Votre texte est paru le ${DAY}`)
    expect(other.includes(`la facture de ${sum} reste à régler.`)).toBe(isUnpaid)
    expect(other).not.toContain('Les lecteurs ne voient pas')
    const booking = await call('GET', `/bookings/${id}`)
    expect(booking).toMatchObject({ state: 'made_good', madeGoodBy: { id: made.id, stands: false } })
    expect(booking.steps.at(-1)).toMatchObject({ act: 'other_day_cancelled' })
    expect(await call('GET', `/bookings/${made.id}`)).toMatchObject({
      ...{ state: 'cancelled', ranBefore: '2026-12-05', paidFor: null },
      unpaidFor: isUnpaid ? { id, amount: 41_000 } : null,
    })
    const isDue = async () =>
      (await call('GET', '/bookings?which=due&limit=200')).rows.some((row: { id: string }) => row.id === id)
    expect(await isDue()).toBe(false)
    now = new Date(now.getTime() + 40 * 24 * HOUR_MS)
    expect(await isDue()).toBe(isUnpaid)
  },
)

test('who has a text that was approved and gets another day is mailed once', async () => {
  const { id, inbox, own } = await accepted()
  await money(id, 'pay')
  await form(own, creative)
  await act(id, 'approve')
  await inbox.all()
  const made = await call('POST', `/bookings/${id}/make-good`, { day: '2026-12-12' })
  expect(made).toMatchObject({ state: 'approved' })
  await inbox.link({ subject: 'Low Water vous donne un autre jour', text: 'Votre texte est repris.' })
})

test('whoever gets all their money back before their day reads that their text does not run', async () => {
  const { id, inbox, own } = await accepted()
  await money(id, 'pay')
  await inbox.link({ subject: 'Low Water a reçu votre paiement', text: 'Merci' })
  await money(id, 'refund')
  await inbox.link({ subject: 'Low Water vous a rendu votre argent', text: `Votre texte ne paraîtra pas le ${DAY}.` })
  expect(spaced((await server.inject(own)).body)).toContain(
    `Votre argent vous a été rendu. Votre texte ne paraîtra pas le ${DAY}.`,
  )
})
