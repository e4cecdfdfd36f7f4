import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SPONSOR_UPLOADS } from '../../media/upload-limits.ts'
import { type Session, startTestApp, type TestApp } from '../../testing/app.ts'
import { uploadImage } from '../../testing/upload.ts'

let server: TestApp
let owner: Session
let id: string
beforeAll(async () => {
  server = await startTestApp()
  owner = await server.signUp()
  id = await server.createNewsletter(owner)
})
afterAll(() => server?.stop())

const call = async (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', rest: string, body?: unknown) =>
  (await owner.call(method, `/api/newsletters/${id}${rest}`, body)).json()
let days = 0
interface Bought {
  id: string
  /** The path of the sponsor's page. */
  own: string
  language?: string
}
/** A booking that waits for its words. */
async function paid(takesImage = true): Promise<Bought> {
  const words = { en: { name: 'Middle', disclosure: 'A word from our sponsor' } }
  const placement = { words, place: 'middle', maxWords: 10, takesImage }
  const { id: placementId } = await call('POST', '/sponsorship/placements', placement)
  const day = new Date(Date.UTC(2090, 0, ++days)).toISOString().slice(0, 10)
  await call('PUT', '/sponsorship/days', { day, kind: 'added' })
  const booking = await call('POST', '/sponsorship/bookings', {
    ...{ placementId, day, sponsor: 'Halyard Books', language: 'en', currency: 'eur', amount: 100 },
  })
  await call('POST', `/sponsorship/bookings/${booking.id}/money`, { act: 'pay' })
  const { url } = await call('POST', `/sponsorship/bookings/${booking.id}/link`, {})
  return { id: booking.id, own: new URL(url).pathname }
}
const words = {
  act: 'creative',
  name: 'Halyard',
  text: 'An almanac for a pocket.',
  label: 'Order',
  target: 'https://h.example/',
}
const said = { ...words, alt: 'An almanac on a table' }
interface Chosen {
  data: Buffer
  name?: string
}
/** The form as a browser sends it. An input without a file is sent empty. */
function send({ own, language = 'en' }: Bought, fields: Record<string, string>, file?: Chosen | null) {
  const edge = 'edge-of-part'
  const texts = Object.entries(fields).map(
    ([name, value]) => `--${edge}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const name = file ? (file.name ?? 'almanac.jpg') : ''
  const head = `--${edge}\r\nContent-Disposition: form-data; name="image"; filename="${name}"\r\nContent-Type: application/octet-stream\r\n\r\n`
  return server.inject({
    method: 'POST',
    url: `${own}?lang=${language}`,
    headers: { origin: 'http://tirage.test', 'content-type': `multipart/form-data; boundary=${edge}` },
    payload: Buffer.concat([
      Buffer.from(texts.join('')),
      ...(file === null ? [] : [Buffer.from(head), file?.data ?? Buffer.alloc(0), Buffer.from('\r\n')]),
      Buffer.from(`--${edge}--\r\n`),
    ]),
  })
}
const picture = (width = 60, height = 30) =>
  sharp({ create: { width, height, channels: 3, background: '#0C5C5A' } }).withExif({ IFD0: { Copyright: 'hidden' } })
const jpeg = async (): Promise<Chosen> => ({ data: await picture().jpeg().toBuffer() })
async function moving(): Promise<Chosen> {
  const raw = { width: 20, height: 20, channels: 3, pageHeight: 10 } as const
  const frames = Buffer.concat([Buffer.alloc(20 * 10 * 3, 0), Buffer.alloc(20 * 10 * 3, 255)])
  return { data: await sharp(frames, { raw }).gif().toBuffer(), name: 'a.gif' }
}
const creativeOf = async ({ id: bookingId }: Bought) =>
  (await call('GET', `/sponsorship/bookings/${bookingId}`)).creative
const imagesOf = ({ id: bookingId }: Bought) =>
  server.context.db.selectFrom('media').select(['id', 'mime', 'bytes']).where('booking_id', '=', bookingId).execute()

test('a sponsor sends an image without an account; it is re-encoded and kept with the words', async () => {
  const bought = await paid()
  const { data } = await jpeg()
  const answer = await send(bought, said, { data, name: '../<b>almanac</b>.jpg' })
  expect([answer.statusCode, answer.headers.location]).toEqual([303, expect.stringContaining('said=sent')])
  const [image] = await imagesOf(bought)
  expect(await creativeOf(bought)).toMatchObject({ image: { mediaId: image?.id, alt: 'An almanac on a table' } })
  const served = await server.inject({ url: `/media/${image?.id}` })
  expect(served.headers['content-type']).toBe('image/jpeg')
  expect(served.rawPayload.equals(data)).toBe(false)
  expect((await sharp(served.rawPayload).metadata()).exif).toBeUndefined()
  const page = (await server.inject(`${bought.own}?lang=en`)).body
  expect(page).toContain('A word from our sponsor')
  expect(page).toContain(`src="/media/${image?.id}?w=600" alt="An almanac on a table"`)
})

test('one that is replaced or left out is gone; one that stays keeps its place with other words', async () => {
  const bought = await paid()
  await send(bought, said, await jpeg())
  const [first] = await imagesOf(bought)
  await send(bought, { ...said, alt: 'Another table' })
  expect(await creativeOf(bought)).toMatchObject({ image: { mediaId: first?.id, alt: 'Another table' } })
  await send(bought, said, await jpeg())
  const [second, ...more] = await imagesOf(bought)
  expect([second?.id === first?.id, more]).toEqual([false, []])
  expect((await server.inject(`/media/${first?.id}`)).statusCode).toBe(404)
  await send(bought, { ...said, leaveOut: 'yes' })
  expect([(await creativeOf(bought)).image, await imagesOf(bought)]).toEqual([null, []])
})

test('an image that something else shows stays when its sponsor takes another', async () => {
  const [bought, other] = [await paid(), await paid()]
  await send(bought, said, await jpeg())
  const [first] = await imagesOf(bought)
  const { act: _act, ...entered } = words
  const shown = { ...entered, image: { mediaId: first?.id, alt: 'x' } }
  await call('PUT', `/sponsorship/bookings/${other.id}/creative`, shown)
  await send(bought, said, await jpeg())
  expect((await imagesOf(bought)).map((row) => row.id)).toContain(first?.id)
  expect((await creativeOf(other)).image.mediaId).toBe(first?.id)
})

test('no form names an image: only what was sent with it, or was there before, is shown', async () => {
  const [bought, other] = [await paid(), await paid()]
  await send(other, said, await jpeg())
  const [foreign] = await imagesOf(other)
  const named = { mediaId: foreign?.id ?? '', 'image[mediaId]': foreign?.id ?? '', image: foreign?.id ?? '' }
  expect((await send(bought, { ...words, ...named }, null)).statusCode).toBe(303)
  expect((await creativeOf(bought)).image).toBeNull()
  const typed = new URLSearchParams({ ...words, ...named, image: JSON.stringify({ mediaId: foreign?.id, alt: 'x' }) })
  const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: 'http://tirage.test' }
  await server.inject({ method: 'POST', url: bought.own, payload: typed.toString(), headers })
  expect((await creativeOf(bought)).image).toBeNull()
})

test.each<[what: string, file: () => Promise<Chosen> | Chosen, sentences: [english: string, french: string]]>([
  [
    'a text',
    () => ({ data: Buffer.from('<svg><script>alert(1)</script></svg>') }),
    ['none of the images', 'n’est pas une image'],
  ],
  ['an empty file', () => ({ data: Buffer.alloc(0) }), ['none of the images', 'n’est pas une image']],
  [
    'one cut off',
    async () => ({ data: (await picture(600, 600).jpeg().toBuffer()).subarray(0, 900) }),
    ['damaged or cut off', 'abîmée'],
  ],
  ['one that moves', moving, ['This image moves', 'Cette image bouge']],
  [
    'one beyond any memory',
    async () => ({ data: await picture(8_000, 8_000).png({ compressionLevel: 1 }).toBuffer() }),
    ['60 million pixels', '60 millions de pixels'],
  ],
  [
    'more than 5 MB',
    async () => ({ data: Buffer.concat([(await jpeg()).data, Buffer.alloc(5 * 1024 * 1024)]) }),
    ['larger than 5\u00a0MB', 'dépasse 5\u00a0Mo'],
  ],
])('%s is refused in the reader’s language, and what was typed stays', async (_what, file, [english, french]) => {
  const bought = await paid()
  const typed = { ...said, text: 'Words that took an hour.' }
  const chosen = await file()
  for (const [language, sentence] of [
    ['en', english],
    ['fr', french],
  ] as const) {
    const answer = await send({ ...bought, language }, typed, chosen)
    expect(answer.statusCode).toBe(422)
    expect(answer.body).toMatch(new RegExp(sentence))
    expect(answer.body).toContain('Words that took an hour.')
  }
  expect([await creativeOf(bought), await imagesOf(bought)]).toEqual([null, []])
})

test.each<[string, Record<string, string>, string]>([
  ['without words for it', { alt: ' ' }, 'what the image shows'],
  ['with too many words for it', { alt: 'x'.repeat(121) }, 'what the image shows'],
  ['beside too many words', { text: 'word '.repeat(11) }, 'up to 10 words'],
  ['beside characters that nobody sees', { text: 'An\u202ealmanac' }, 'nobody can see'],
  ['beside an address that is none', { target: 'javascript:alert(1)' }, 'whole web address'],
])('an image %s is kept, and goes with the words once they are right', async (_what, values, sentence) => {
  const bought = await paid()
  const answer = await send(bought, { ...said, ...values }, await jpeg())
  expect(answer.statusCode).toBe(422)
  expect(answer.body).toContain(sentence)
  const [held, ...more] = await imagesOf(bought)
  expect(answer.body).toContain('Your image is kept here')
  expect(answer.body).toContain(`src="/media/${held?.id}?w=600"`)
  expect([more, await creativeOf(bought)]).toEqual([[], null])

  expect((await send(bought, said)).statusCode).toBe(303)
  expect((await creativeOf(bought)).image).toEqual({ mediaId: held?.id, alt: said.alt })
  expect((await server.inject(`${bought.own}?lang=en`)).body).not.toContain('Your image is kept here')
})

test('one image is held at a time, and it goes when it is left out or a member enters the words', async () => {
  const bought = await paid()
  const wrong = { ...said, target: 'nowhere' }
  await send(bought, wrong, await jpeg())
  const [first] = await imagesOf(bought)
  await send(bought, wrong, await jpeg())
  const [second, ...more] = await imagesOf(bought)
  expect([second?.id === first?.id, more]).toEqual([false, []])
  await send(bought, { ...said, leaveOut: 'yes' })
  expect([(await creativeOf(bought)).image, await imagesOf(bought)]).toEqual([null, []])

  await send(bought, wrong, await jpeg())
  const { act: _act, ...entered } = words
  await call('PUT', `/sponsorship/bookings/${bought.id}/creative`, { ...entered, image: null })
  expect([(await creativeOf(bought)).image, await imagesOf(bought)]).toEqual([null, []])
})

test('an image that is held stands in for the one that was sent before, which stays until the words are right', async () => {
  const bought = await paid()
  await send(bought, said, await jpeg())
  const [before] = await imagesOf(bought)
  await send(bought, { ...said, text: '' }, await jpeg())
  expect((await creativeOf(bought)).image.mediaId).toBe(before?.id)
  const held = (await imagesOf(bought)).find((row) => row.id !== before?.id)
  await send(bought, said)
  expect((await creativeOf(bought)).image.mediaId).toBe(held?.id)
  expect(await imagesOf(bought)).toHaveLength(1)
})

test.each([
  ['en', 'no image came'],
  ['fr', 'aucune n’est arrivée'],
])('what describes an image is refused without one, and nothing typed is lost: %s', async (language, sentence) => {
  const bought = await paid()
  const answer = await send({ ...bought, language }, said)
  expect([answer.statusCode, await creativeOf(bought)]).toEqual([422, null])
  expect(answer.body).toContain(sentence)
  expect(answer.body).toContain(`value="${said.alt}"`)
  expect((await send(bought, words)).statusCode).toBe(303)
})

test('a placement that takes no image says so, and offers no field for one', async () => {
  const bought = await paid(false)
  expect((await server.inject(bought.own)).body).not.toContain('type="file"')
  const answer = await send(bought, said, await jpeg())
  expect([answer.statusCode, answer.body.includes('This placement takes no image')]).toEqual([422, false])
  expect(await imagesOf(bought)).toEqual([])
})

test('of forms that are sent at the same moment at most one leaves an image', async () => {
  const bought = await paid()
  const file = await jpeg()
  const answers = await Promise.all(Array.from({ length: 6 }, () => send(bought, said, file)))
  const statuses = new Set(answers.map(({ statusCode }) => statusCode))
  expect([...statuses].toSorted()).toEqual([303, 422])
  const refused = answers.find(({ statusCode }) => statusCode === 422)
  expect(refused?.body).toContain('Another image is being read')
  const [image, ...more] = await imagesOf(bought)
  expect([more, (await creativeOf(bought)).image.mediaId]).toEqual([[], image?.id])
})

test('words that came too late leave no image', async () => {
  const bought = await paid()
  await send(bought, words)
  await call('POST', `/sponsorship/bookings/${bought.id}/acts`, { act: 'approve' })
  expect((await send(bought, said, await jpeg())).headers.location).toContain('said=moved')
  expect([(await creativeOf(bought)).image, await imagesOf(bought)]).toEqual([null, []])
})

test.each(['booking', 'newsletter', 'all'] as const)('images are counted: %s', async (what) => {
  const bought = await paid()
  const key = { booking: bought.id, newsletter: id, all: 'all' }[what]
  const full = sql`insert into rate_limit (key, points, expire)
    values (${`sponsor images ${what}:${key}`}, ${SPONSOR_UPLOADS[what]}, ${Date.now() + 3_600_000})
    on conflict (key) do update set points = excluded.points, expire = excluded.expire`
  await full.execute(server.context.db)
  const answer = await send(bought, said, await jpeg())
  await sql`delete from rate_limit where key like 'sponsor images %'`.execute(server.context.db)
  expect([answer.statusCode, answer.body.includes('Very many images')]).toEqual([422, true])
  expect(await imagesOf(bought)).toEqual([])
  expect((await send(bought, said, await jpeg())).statusCode).toBe(303)
})

test('an image takes of the newsletter’s own room, and is refused kindly without', async () => {
  const bought = await paid()
  const values = {
    file_name: 'all',
    mime: 'image/png',
    bytes: 2_000_000_000,
    width: 1,
    height: 1,
    stored_at: new Date(),
  }
  const row = { newsletter_id: id, id: 'allTheRoom', storage_key: 'none/allTheRoom.png', ...values }
  await server.context.db.insertInto('media').values(row).execute()
  const answer = await send(bought, said, await jpeg())
  await server.context.db.deleteFrom('media').where('id', '=', row.id).execute()
  expect([answer.statusCode, answer.body.includes('no room for another image')]).toEqual([422, true])
})

test('a form without a link, one that ends too early, and one beyond all size are not read', async () => {
  const bought = await paid()
  const huge = {
    'content-type': 'multipart/form-data; boundary=x',
    'content-length': '99999999999',
    origin: 'http://tirage.test',
  }
  const post = (url: string, headers: Record<string, string>, payload: string) =>
    server.inject({ method: 'POST', url, headers, payload })
  expect((await post('/booking/none', huge, 'x')).statusCode).toBe(404)
  expect((await post(bought.own, huge, 'x')).statusCode).toBe(413)
  const cut = { 'content-type': 'multipart/form-data; boundary=x', origin: 'http://tirage.test' }
  for (const body of ['', '--x\r\nContent-Disposition: form-data; name="act"\r\n\r\ncre', 'nothing'])
    expect([body, (await post(bought.own, cut, body)).statusCode]).toEqual([body, expect.toBeOneOf([400, 422])])
  expect((await send(bought, said, await jpeg())).statusCode).toBe(303)
})

test('an image that a member chose stays among the newsletter’s own when its sponsor takes another', async () => {
  const bought = await paid()
  const { data } = await jpeg()
  const chosen = (await uploadImage(server, { path: `/api/newsletters/${id}`, cookie: owner.cookie, data })).json()
  const { act: _act, ...entered } = words
  const shown = { ...entered, image: { mediaId: chosen.id, alt: 'x' } }
  await call('PUT', `/sponsorship/bookings/${bought.id}/creative`, shown)
  await send(bought, said, { data })
  expect((await creativeOf(bought)).image.mediaId).not.toBe(chosen.id)
  expect((await server.inject(`/media/${chosen.id}`)).statusCode).toBe(200)
})

test('two files, and a file under another name, are refused or left out', async () => {
  const bought = await paid()
  const edge = 'x'
  const part = (name: string, more = '') =>
    `--${edge}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${name === 'act' ? 'creative' : 'x'}\r\n`
  const file = part('image', '; filename="a.png"')
  const post = (body: string) =>
    server.inject({
      method: 'POST',
      url: bought.own,
      headers: { origin: 'http://tirage.test', 'content-type': `multipart/form-data; boundary=${edge}` },
      payload: `${body}--${edge}--\r\n`,
    })
  expect((await post(part('act') + file + file)).statusCode).toBe(413)
  expect((await post(part('act') + part('__proto__'))).statusCode).toBe(400)
  expect((await post(part('act').repeat(30))).statusCode).toBe(413)
  expect((await send(bought, said, await jpeg())).statusCode).toBe(303)
})
