import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import PostalMime from 'postal-mime'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { NewsletterRow } from '../../http/scope.ts'
import type { Language } from '../../languages.ts'
import { canaryLink, shortenLinks } from '../../links/shorten.ts'
import { findNewsletter } from '../../newsletters/membership.ts'
import { strangersAccess } from '../../publications/document/visible.ts'
import { findRenderable } from '../../publications/queries.ts'
import { type Personal, parsed, renderMail } from '../../publications/rendering.ts'
import { compile, type MailedPublication, type Recipient } from '../../sending/compile.ts'
import { SubscriberLinks } from '../../subscribers/subscriber-links.ts'
import { expectSound, type Reading, readByPostalMime, readByPython } from '../../testing/mail-parsers.ts'
import { paragraph, startTestNewsletter, type TestNewsletter } from '../../testing/newsletter.ts'
import { type RecordingRelay, startRecordingRelay } from '../../testing/recording-relay.ts'
import { oneLine } from './quoted-printable.ts'

let room: TestNewsletter
let relay: RecordingRelay
let newsletter: NewsletterRow
let publication: MailedPublication
beforeAll(async () => {
  relay = await startRecordingRelay()
  room = await startTestNewsletter({ SMTP_URL: relay.url })
  const { id } = await room.draft()
  const { db } = room.context
  newsletter = (await findNewsletter(db, room.newsletterId)) as NewsletterRow
  publication = await findRenderable(db, room.newsletterId, id)
})
afterAll(async () => {
  await room.stop()
  await relay.stop()
})

const ada: Recipient = {
  subscriberId: '018f0000-0000-7000-8000-000000000001',
  email: 'ada@example.org',
  name: 'Ada',
  language: 'en',
}

interface Written {
  server?: Partial<NewsletterRow>
  changes?: Partial<MailedPublication>
  content?: unknown
  recipient?: Partial<Recipient>
}

async function rawOf({ server, changes, content, recipient }: Written): Promise<Buffer> {
  const written = { ...publication, ...changes, ...(content !== undefined && { content: JSON.stringify(content) }) }
  const compiled = await compile(room.context, { ...newsletter, ...server }, written)
  const { raw } = await compiled.messageFor({ ...ada, ...recipient })
  return raw
}

const names = (headers: { key: string }[]) => headers.map(({ key }) => key).sort()

const listHeaders = [
  'content-type',
  'date',
  'feedback-id',
  'from',
  'list-id',
  'list-unsubscribe',
  'list-unsubscribe-post',
  'message-id',
  'mime-version',
  'precedence',
  'reply-to',
  'subject',
  'to',
  'x-tirage-newsletter',
]

const evil = [
  'A\r\nBcc: everybody@example.org',
  'A\nX-Injected: yes\n\n<script>',
  '"Ada" <boss@example.org>, x',
  'Ada\u2028Bcc: x@example.org',
  '=?utf-8?q?=0D=0ABcc:_x@example.org?=',
]

test.each(evil)('no name or title adds a header or a recipient: %j', async (words) => {
  const raw = await rawOf({
    server: { name: words, sender_name: words, reply_to: 'answers@lowwater.test' },
    changes: { title: words, subject: words },
    recipient: { name: words },
  })
  expectSound(raw)
  const mail = await PostalMime.parse(raw)
  expect(names(mail.headers)).toEqual(listHeaders)
  expect(mail.from?.address).toBe('ines@lowwater.test')
  expect(mail.to?.map(({ address }) => address)).toEqual(['ada@example.org'])
  expect(mail.replyTo?.map(({ address }) => address)).toEqual(['answers@lowwater.test'])
})

const article = {
  type: 'doc',
  content: Array.from({ length: 25 }, (_, screen) => [
    { type: 'heading', attrs: { level: 2 }, content: [{ type: 'text', text: `${screen + 1}. L’été à Ménez-Du 🌊` }] },
    paragraph(
      `« Où va-t-on ? » demanda-t-elle — très tôt… ${'La mer se retire, l’estran appartient à qui sait où marcher. '.repeat(8)}`,
    ),
    paragraph('.un point en début de ligne'),
    paragraph('البحر ينحسر مرتين في اليوم. הים נסוג פעמיים ביום.'),
    { type: 'image', attrs: { src: 'https://example.org/estran.jpg', alt: 'L’estran à marée basse' } },
    {
      type: 'table',
      content: ['6 h 12', '18 h 40'].map((hour) => ({
        type: 'tableRow',
        content: [hour, 'Basse mer', '1,2 m'].map((cell) => ({ type: 'tableCell', content: [paragraph(cell)] })),
      })),
    },
  ]).flat(),
}

test('a long French article with tables, pictures, emoji and right-to-left text arrives unchanged', async () => {
  const raw = await rawOf({ changes: { title: 'L’été 🌊 à la mer : où va-t-on ?', subject: '' }, content: article })
  expectSound(raw)
  const mail = await PostalMime.parse(raw)
  expect(mail.subject).toBe('L’été 🌊 à la mer : où va-t-on ?')
  expect(mail.html?.match(/البحر ينحسر مرتين في اليوم\./g)).toHaveLength(25)
  expect(mail.html?.split('La mer se retire, l’estran appartient').length).toBeGreaterThan(200)
  expect(mail.text).toContain('.un point en début de ligne')
  expect(mail.text).toContain('« Où va-t-on ? » demanda-t-elle — très tôt…')
  expect(mail.html?.match(/alt="L’estran à marée basse"/g)).toHaveLength(25)
})

const words = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }).map((text) => text.toWellFormed())
const messages = fc.record({
  title: words,
  subtitle: words,
  server: words,
  paragraphs: fc.array(words, { maxLength: 4 }),
  recipients: fc.array(fc.record({ name: fc.option(words), language: fc.constantFrom('en', 'fr') }), {
    minLength: 1,
    maxLength: 5,
  }),
})
const link = 'https://example.org/marées?à=1&b=2#c'
const linked = (text: string) => ({ type: 'text', text, marks: [{ type: 'link', attrs: { href: link } }] })
const tag = { type: 'mergeTag', attrs: { field: 'name', fallback: 'dear reader' } }
const HERE = 'herestandsthename'

/** The mail that this recipient should read: the same rendering, with all personal values in it. */
async function wantedFor(
  server: NewsletterRow,
  publicationRow: MailedPublication,
  { subscriberId, name, language }: Recipient,
): Promise<{ text: string; html: string }> {
  const { db, config, signer } = room.context
  const ids = await shortenLinks(db, { newsletterId: server.id, publicationId: publicationRow.id, targets: [link] })
  const personal: Personal = {
    link: (href) => `${config.publicUrl}/r/${ids.get(href)}?s=${subscriberId}`,
    mergeTag: (medium) => `${HERE}${medium}`,
    unsubscribeAddress: `${config.publicUrl}/unsub/${server.id}/${subscriberId}?p=${publicationRow.id}`,
    readAddress: null,
    dataAddress: `${config.publicUrl}/me/${new SubscriberLinks(config.secret, signer).standing({ newsletterId: server.id, subscriberId })}`,
    pixelAddress: `${config.publicUrl}/o/${server.id}/${publicationRow.id}/${subscriberId}.gif`,
    canaryAddress: `${config.publicUrl}/r/${await canaryLink(room.context, { newsletterId: server.id, publicationId: publicationRow.id })}?s=${subscriberId}`,
  }
  const mail = renderMail(
    { config, newsletter: server, pictures: [] },
    parsed(publicationRow, strangersAccess, 'email'),
    {
      personal,
      readerLanguage: language as Language,
    },
  )
  const shown = oneLine(name ?? '').trim() || 'dear reader'
  const escaped = shown.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
  const lines = (text: string) => text.replaceAll(/\r\n?/g, '\n')
  return {
    text: lines(mail.text).replaceAll(`${HERE}text`, () => shown),
    html: lines(mail.html).replaceAll(`${HERE}html`, () => escaped),
  }
}

test('every recipient gets the publication with their own name and addresses, and the text around it in their language', {
  timeout: 60_000,
}, async () => {
  const made: { raw: Buffer; wanted: Reading }[] = []
  await fc.assert(
    fc.asyncProperty(messages, async ({ title, subtitle, server, paragraphs, recipients }) => {
      const content = [{ type: 'paragraph', content: [tag, linked(' and this')] }, ...paragraphs.map(paragraph)]
      const written = { ...publication, title, subtitle, content: JSON.stringify({ type: 'doc', content }) }
      const ours = { ...newsletter, name: server, sender_name: server }
      const compiled = await compile(room.context, ours, written)
      for (const given of recipients) {
        const recipient = { ...ada, subscriberId: randomUUID(), ...given }
        const { raw } = await compiled.messageFor(recipient)
        const parts = await wantedFor(ours, written, recipient)
        const wanted = { ...parts, subject: oneLine(title).trim(), sender: oneLine(server).trim(), to: ada.email }
        expectSound(raw)
        expect(await readByPostalMime(raw)).toEqual(wanted)
        made.push({ raw, wanted })
      }
    }),
    { numRuns: 50 },
  )
  const read = readByPython(made.map(({ raw }) => raw))
  if (!read) return console.log('python3 is not on this machine: its reading of the same mails was left out')
  read.forEach(({ defects, ...rest }, index) => {
    // Python does not join a long name as RFC 2047 says.
    expect(rest).toEqual({ ...made[index]?.wanted, sender: rest.sender })
    expect(defects).toEqual([])
  })
})

test('the sent mail is the one that the preview showed', async () => {
  const [subscriberId] = await room.addSubscribers(['preview@example.org'])
  const { id } = await room.draft({ title: 'Telle quelle', subtitle: 'Ni plus ni moins', content: article })
  await room.send(id)
  await room.work()
  const shown = (await room.owner.call('POST', `${room.path}/publications/${id}/preview`, {})).json()
  const raw = relay.received.find(({ to }) => to === 'preview@example.org')?.raw ?? ''
  const mail = await PostalMime.parse(raw)
  relay.received.length = 0
  const impersonal = (words: string | undefined) =>
    words
      ?.replace(/<img[^>]+\/o\/[^>]+\.gif"[^>]*>/, '')
      .replaceAll(new RegExp(`/me/${room.newsletterId}\\.[0-9a-f-]{36}`, 'g'), `/subscribe/${room.newsletterId}/me`)
      .replaceAll(`/unsub/${room.newsletterId}/${subscriberId}?p=${id}`, `/sub/${room.newsletterId}`)
  expect(impersonal(mail.html)?.trim()).toBe(
    shown.email.replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, ''),
  )
  expect(impersonal(mail.text)?.trim()).toBe(shown.text.trim())
  expect(mail.subject).toBe(shown.subject)
})

test('confirmations and tests are valid mail to one person', async () => {
  const { db } = room.context
  const name = 'Basse mer, « l’été »\r\nBcc: x@example.org'
  await db.updateTable('newsletter').set({ name, sender_name: name }).where('id', '=', room.newsletterId).execute()
  const asked = await room.inject({
    method: 'POST',
    url: `/subscribe/${room.newsletterId}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'email=zoe%40example.org&language=fr&consent=yes&website=',
  })
  expect(asked.statusCode, asked.body).toBe(303)
  const test = await room.owner.call('POST', `${room.path}/publications/${publication.id}/test`, {})
  expect(test.statusCode, test.body).toBe(200)
  await room.work()
  expect(relay.received.map(({ to }) => to).sort()).toEqual(['ines@example.org', 'zoe@example.org'])
  for (const { to, raw } of relay.received) {
    expectSound(Buffer.from(raw))
    const mail = await PostalMime.parse(raw)
    expect(mail.to?.map(({ address }) => address)).toEqual([to])
    expect(names(mail.headers)).not.toContain('bcc')
    const own = to === 'zoe@example.org' ? 'auto-submitted' : 'list-unsubscribe-post'
    expect(names(mail.headers)).toEqual(expect.arrayContaining([own, 'date', 'message-id', 'mime-version']))
    expect(mail.from).toMatchObject({ address: 'ines@lowwater.test', name: expect.stringContaining('« l’été »') })
    expect(mail.html && mail.text).toBeTruthy()
  }
})
