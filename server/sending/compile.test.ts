import PostalMime from 'postal-mime'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { NewsletterRow } from '../http/scope.ts'
import { isOurs } from '../mail/message-id.ts'
import { readReturnPath, readUnsubscribeMailbox } from '../mail/return-path.ts'
import { findNewsletter } from '../newsletters/membership.ts'
import { findRenderable } from '../publications/queries.ts'
import { startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'
import { type Compiled, compile, type Recipient } from './compile.ts'

const BOUNCE_DOMAIN = 'bounces.lowwater.test'

let room: TestNewsletter
let newsletter: NewsletterRow
let publicationId: string
beforeAll(async () => {
  room = await startTestNewsletter({ BOUNCE_DOMAIN })
  newsletter = (await findNewsletter(room.context.db, room.newsletterId)) as NewsletterRow
  publicationId = (await room.draft({ title: 'Basse mer', language: 'fr', content: greeting })).id
})
afterAll(() => room.stop())

const tag = (field: string, fallback: string) => ({ type: 'mergeTag', attrs: { field, fallback } })
const greeting = {
  type: 'doc',
  content: [
    { type: 'paragraph', content: [{ type: 'text', text: 'Bonjour ' }, tag('first_name', 'toi & moi')] },
    { type: 'paragraph', content: [{ type: 'text', text: 'à ' }, tag('email', '')] },
    { type: 'button', attrs: { href: 'https://example.org/marée', label: 'Marée' } },
  ],
}

const ada: Recipient = {
  subscriberId: '018f0000-0000-7000-8000-000000000001',
  email: 'ada@example.org',
  name: 'Ada Lovelace',
  language: 'en',
}

async function compiled(server: Partial<NewsletterRow> = {}): Promise<Compiled> {
  const { context, newsletterId } = room
  const publication = await findRenderable(context.db, newsletterId, publicationId)
  return compile(context, { ...newsletter, ...server }, publication)
}

const read = async (recipient: Partial<Recipient>, server: Partial<NewsletterRow> = {}) => {
  const message = await (await compiled(server)).messageFor({ ...ada, ...recipient })
  const mail = await PostalMime.parse(message.raw)
  const header = (name: string) => mail.headers.find(({ key }) => key === name)?.value
  return { message, mail, header }
}

test.each([
  ['en', 'You get this because you said yes', 'Unsubscribe', ' lang="en"'],
  ['fr', 'Vous recevez cet email parce que', 'Se désabonner', undefined],
  ['de', 'Vous recevez cet email parce que', 'Se désabonner', undefined],
])(
  'the words around a French publication are in the language of the subscriber: %s',
  async (...[language, reason, leave, marked]) => {
    const { mail } = await read({ language })
    for (const words of [reason, leave, 'Bonjour Ada']) {
      expect(mail.html).toContain(words)
      expect(mail.text).toContain(words)
    }
    expect(mail.html).toMatch(/<html lang="fr"/)
    expect(mail.html?.match(/<td [^>]*( lang="\w+")/)?.[1]).toBe(marked)
  },
)

test.each([
  ['Ada Lovelace', 'Ada', 'Ada'],
  [' \t ', 'toi & moi', 'toi &#38; moi'],
  [null, 'toi & moi', 'toi &#38; moi'],
  ['<b>Zoé</b>', '<b>Zoé</b>', '&#60;b&#62;Zoé&#60;/b&#62;'],
  ['.Ada', '.Ada', '.Ada'],
  ['From', 'From', 'From'],
  ['=41da', '=41da', '=41da'],
])('a subscriber called %j is greeted as %j', async (name, text, html) => {
  const { mail } = await read({ name })
  expect(mail.text).toContain(`Bonjour ${text}\n`)
  expect(mail.html).toContain(`Bonjour ${html}</p>`)
  // The preview in the inbox greets as the mail does.
  expect(mail.html).toContain(`Bonjour ${html} à`)
})

test.each([
  ['ada@example.org', 'ada@example.org'],
  ['Ada.O’Hara+x@Example.org', 'Ada.O’Hara+x@example.org'],
  ['ada@café.example', 'ada@xn--caf-dma.example'],
  ['inès@café.example', 'inès@xn--caf-dma.example'],
  ['ada@example.org>\r\nBcc: <bob@example.org', 'ada@example.orgBccbob@example.org'],
])('an address is the same in the envelope and in the header: %j', async (email, wire) => {
  const { message, mail } = await read({ email })
  expect(message.to).toBe(wire)
  expect(mail.to?.map(({ address }) => address)).toEqual([wire])
  expect(mail.headers.filter(({ key }) => key === 'bcc')).toEqual([])
})

test('the return path, the Message-ID and the addresses to unsubscribe name the delivery', async () => {
  const { message, header } = await read({})
  const { config, signer } = room.context
  const delivery = { newsletterId: room.newsletterId, publicationId, subscriberId: ada.subscriberId }
  expect(message.delivery).toEqual(delivery)
  expect(readReturnPath(config, signer, message.from)).toEqual(delivery)
  const [, address = '', mailto = ''] = header('list-unsubscribe')?.match(/^<(\S+)>, <mailto:(\S+)>$/) ?? []
  expect(readUnsubscribeMailbox(config, signer, mailto)).toEqual(delivery)
  expect(address).toBe(`${config.publicUrl}/unsub/${room.newsletterId}/${ada.subscriberId}?p=${publicationId}`)
  expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
  const messageId = header('message-id') ?? ''
  expect(messageId).toMatch(new RegExp(`^<${publicationId}\\.${ada.subscriberId}\\.[0-9a-f]{12}@lowwater\\.test>$`))
  expect(isOurs(signer, messageId)).toBe(true)
  expect(header('list-id')).toBe(`"Low Water" <${room.newsletterId}.lowwater.test>`)
})

test('compiled twice, a delivery has the same Message-ID and the same links', async () => {
  const [first, second] = await Promise.all([read({}), read({})])
  expect(first.header('message-id')).toBe(second.header('message-id'))
  expect(first.mail.html).toBe(second.mail.html)
  const { count } = await room.context.db
    .selectFrom('short_link')
    .select((e) => e.fn.countAll<string>().as('count'))
    .where('publication_id', '=', publicationId)
    .where('canary', '=', false)
    .executeTakeFirstOrThrow()
  expect(Number(count)).toBe(1)
})
