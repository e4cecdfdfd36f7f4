import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findNewsletter } from '../../newsletters/membership.ts'
import { type PublicSite, startPublicSite } from '../../testing/public-site.ts'
import { embeddedForm } from './form.ts'

let server: PublicSite
let pressed: PublicSite
let newsletter: string
beforeAll(async () => {
  server = await startPublicSite({ SUBSCRIBE_LIMIT: '1000', SUBSCRIBE_PRESSURE: '100000' })
  pressed = await startPublicSite({ SUBSCRIBE_LIMIT: '1000', SUBSCRIBE_PRESSURE: '0' })
})
afterAll(async () => {
  await server?.stop()
  await pressed?.stop()
})
beforeEach(async () => {
  newsletter = await server.addNewsletter({ name: 'Low <Water> & "Co"' })
})

const html = async (language: 'en' | 'fr', at = server, id = newsletter) => {
  const found = await findNewsletter(at.context.db, id)
  return found ? embeddedForm(at.context.config, found, language).html : ''
}
const consentIn = (form: string) => /name="consent" value="([^"]+)"/.exec(form)?.[1] ?? ''
const headers = { accept: 'application/json', origin: 'https://harbour.example' }
const send = (form: Record<string, string>, more: object = {}, lang = 'en') =>
  server.submit(`/subscribe/${newsletter}?lang=${lang}`, form, { headers: { ...headers, ...more } })
const stored = (at = server, id = newsletter) =>
  at.context.db
    .selectFrom('subscriber as s')
    .innerJoin('consent as c', (join) =>
      join.onRef('c.newsletter_id', '=', 's.newsletter_id').onRef('c.subscriber_id', '=', 's.id'),
    )
    .select(['s.email', 's.status', 'c.wording', 'c.language', 'c.means', 'c.proof'])
    .where('s.newsletter_id', '=', id)
    .execute()

test('the form has the words of the receipt, in either language, and no markup of the newsletter’s name', async () => {
  const french = await html('fr')
  expect(french).toContain('lang="fr"')
  expect(french).toContain('Low &#60;Water&#62; &#38; &#34;Co&#34;')
  expect(french).not.toMatch(/style=|class=|<script/)
  await send({ email: 'ada@example.org', consent: consentIn(french), language: 'fr' }, {}, 'fr')
  expect(await stored()).toEqual([
    {
      email: 'ada@example.org',
      status: 'pending',
      wording: 'Oui, je veux recevoir Low <Water> & "Co" par email. Je peux partir d’un clic.',
      language: 'fr',
      means: 'page',
      proof: 'form on https://harbour.example',
    },
  ])
})

test('a form without a script leads to our pages', async () => {
  const form = { email: 'ada@example.org', consent: consentIn(await html('en')), language: 'en' }
  const answer = await server.submit(`/subscribe/${newsletter}?lang=en`, form, {
    headers: { origin: 'https://harbour.example', accept: 'text/html' },
  })
  expect([answer.statusCode, answer.headers.location]).toEqual([303, `/subscribe/${newsletter}/asked?lang=en`])
  expect(answer.headers['access-control-allow-origin']).toBeUndefined()
})

describe('the script’s answer', () => {
  test('is readable on every site, for this form and its challenge alone, and never with cookies', async () => {
    const consent = consentIn(await html('en'))
    for (const form of [{ email: 'ada@example.org', consent }, { email: 'ada', consent }, { email: 'a@example.org' }]) {
      const answer = await send(form)
      expect(answer.headers['access-control-allow-origin']).toBe('*')
      expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
      expect(answer.headers['cache-control']).toBe('no-store')
    }
    const challenge = await server.app.inject({ url: `/subscribe/${newsletter}/challenge`, headers })
    expect(challenge.headers['access-control-allow-origin']).toBe('*')
    for (const url of [
      `/subscribe/${newsletter}`,
      `/n/${newsletter}`,
      `/subscribe/${newsletter}/me`,
      '/api/me',
      '/unsub/x/y',
    ]) {
      const other = await server.app.inject({ url, headers })
      expect([url, other.headers['access-control-allow-origin']]).toEqual([url, undefined])
    }
    // A request that needs a preflight is allowed to nobody.
    const preflight = await server.app.inject({
      method: 'OPTIONS',
      url: `/subscribe/${newsletter}`,
      headers: {
        ...headers,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type',
      },
    })
    expect(preflight.headers['access-control-allow-methods']).toBeUndefined()
    expect(preflight.headers['access-control-allow-headers']).toBeUndefined()
  })

  test('announces no mail where it is caught on the visitor’s own machine, as our page does', async () => {
    const consent = consentIn(await html('en'))
    const { message } = (await send({ email: 'ada@example.org', consent })).json()
    expect(message).toContain('This server cannot send email yet.')
    expect((await server.get(`/subscribe/${newsletter}/asked?lang=en`)).body).toContain(message)
  })

  test('is the same for every address, new, waiting or subscribed, and says what is wrong in the form’s language', async () => {
    const consent = consentIn(await html('en'))
    const bodies = []
    for (let time = 0; time < 2; time += 1) bodies.push((await send({ email: 'ada@example.org', consent })).body)
    await server.context.db
      .updateTable('subscriber')
      .set({ status: 'active', confirmed_at: new Date() })
      .where('newsletter_id', '=', newsletter)
      .execute()
    bodies.push((await send({ email: 'ada@example.org', consent })).body)
    bodies.push((await send({ email: 'bea@example.org', consent })).body)
    // What a bot filled in is stored nowhere, and the bot does not learn it.
    bodies.push((await send({ email: 'bot@example.org', consent, website: 'x' })).body)
    expect(new Set(bodies).size).toBe(1)
    expect(JSON.parse(bodies[0] ?? '')).toMatchObject({ state: 'asked' })
    expect((await stored()).map(({ email }) => email).toSorted()).toEqual(['ada@example.org', 'bea@example.org'])
    const french = consentIn(await html('fr'))
    expect((await send({ email: 'x', consent: french }, {}, 'fr')).json()).toEqual({
      state: 'refused',
      message: 'Ce n’est pas une adresse email complète, comme nom@exemple.fr, sans accent avant l’@.',
    })
  })

  test('offers the address that was probably meant', async () => {
    const consent = consentIn(await html('en'))
    const form = { email: 'ada@gmial.com', consent }
    expect((await send(form)).json()).toMatchObject({
      state: 'typo',
      meant: { yes: 'Yes, ada@gmail.com', no: 'No, ada@gmial.com is right' },
    })
    expect(await stored()).toEqual([])
    await send({ ...form, choice: 'meant' })
    expect(await stored()).toMatchObject([{ email: 'ada@gmail.com' }])
  })

  test('asks again on our page when a copied form has other words than today’s', async () => {
    const found = await findNewsletter(server.context.db, newsletter)
    const copy = found && embeddedForm(server.context.config, { ...found, name: 'High Water' }, 'en').html
    const form = { email: 'ada.copied@example.org', consent: consentIn(copy ?? '') }
    expect((await send(form)).json()).toMatchObject({ state: 'stale' })
    const page = await server.submit(`/subscribe/${newsletter}`, form)
    expect(page.statusCode).toBe(422)
    expect(page.body).toContain('Tick the box if you want Low')
    expect(await stored()).toEqual([])
  })

  test.each(['', 'no', 'on', 'en-', 'xx-aaaaaaaaaa', 'en-aaaaaaaaaa', `en-${'a'.repeat(400)}`])(
    'takes “%s” for no yes',
    async (consent) => {
      expect((await send({ email: 'ada@example.org', consent })).statusCode).toBe(422)
      expect(await stored()).toEqual([])
    },
  )

  test.each(['null', 'not a url', `https://${'a'.repeat(300)}.example`, 'javascript:1', 'http://'])(
    'keeps no site from the origin “%s”',
    async (origin) => {
      await send({ email: `${newsletter}@example.org`, consent: consentIn(await html('en')) }, { origin })
      expect(await stored()).toMatchObject([{ proof: null }])
    },
  )

  test('asks for a proof of work under pressure, and takes it', async () => {
    const id = await pressed.addNewsletter()
    const form = { email: 'ada@example.org', consent: consentIn(await html('en', pressed, id)) }
    const ask = (more: object) => pressed.submit(`/subscribe/${id}?lang=en`, { ...form, ...more }, { headers })
    expect((await ask({})).json()).toMatchObject({ state: 'proof' })
    expect(await stored(pressed, id)).toEqual([])
    const challenge = (await pressed.get(`/subscribe/${id}/challenge`)).json()
    const solution = await solveChallenge({ challenge, deriveKey })
    const proof = Buffer.from(JSON.stringify({ challenge, solution })).toString('base64')
    expect((await ask({ proof })).json()).toMatchObject({ state: 'asked' })
    expect(await stored(pressed, id)).toMatchObject([{ status: 'pending' }])
    expect((await ask({ proof, email: 'bea@example.org' })).json()).toMatchObject({ state: 'proof' })
  })
})
