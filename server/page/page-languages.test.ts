import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Language } from '../languages.ts'
import { type PublicSite, startPublicSite } from '../testing/public-site.ts'

let site: PublicSite
let french: string
beforeAll(async () => {
  site = await startPublicSite()
})
afterAll(() => site?.stop())
beforeEach(async () => {
  french = await site.addNewsletter({ language: 'fr', name: 'Le Quart d’heure' })
  await site.context.db.updateTable('newsletter').set({ sponsor_page: 'listed' }).where('id', '=', french).execute()
})

/** Each is newer than the one before by a second: the archive begins with the newest. */
let number = 0
async function publish(newsletterId: string, slug: string, language: Language) {
  number += 1
  const paragraph = { type: 'paragraph', content: [{ type: 'text', text: slug }] }
  const content = JSON.stringify({ type: 'doc', content: [paragraph] })
  const values = { newsletter_id: newsletterId, id: `${newsletterId}${slug}`, title: slug, slug, language, content }
  await site.context.db
    .insertInto('publication')
    .values({ ...values, number, published_at: new Date(Date.now() - 3_600_000 + number * 1000) })
    .execute()
}

const pathOf = (address = '') => address.replace(/^https?:\/\/[^/]+/, '')
const read = async (path: string, browser?: string) => {
  const { body, statusCode } = await site.get(path, browser ? { 'accept-language': browser } : {})
  const alternates = [...body.matchAll(/<link rel="alternate" hrefLang="([^"]*)" href="([^"]*)"/g)]
  return {
    body,
    statusCode,
    lang: /<html lang="(\w+)"/.exec(body)?.[1],
    canonical: pathOf(/<link rel="canonical" href="([^"]*)"/.exec(body)?.[1]?.replaceAll('&amp;', '&')),
    alternates: Object.fromEntries(alternates.map(([, name, href]) => [name, pathOf(href?.replaceAll('&amp;', '&'))])),
  }
}

test.each([
  ['subscribe', (id: string) => `/subscribe/${id}`],
  ['plans', (id: string) => `/plans/${id}`],
  ['sponsors', (id: string) => `/sponsor/${id}`],
  ['archive', (id: string) => `/n/${id}`],
])('%s: each version is its own canonical page and names all of them', async (_name, at) => {
  const path = at(french)
  const { alternates, canonical } = await read(path)
  expect(Object.keys(alternates).sort()).toEqual(['en', 'fr', 'x-default'])
  expect([alternates['x-default'], canonical]).toEqual([path, path])
  for (const [name, address] of Object.entries<string>(alternates)) {
    // Whatever the browser asks for, an address with a language has that language.
    const version = await read(address, 'en')
    expect(version.canonical).toBe(address)
    expect(version.alternates).toEqual(alternates)
    if (name !== 'x-default') expect(version.lang).toBe(name)
  }
})

test('a second page of the archive keeps its number in every language, and one that is found has no alternates', async () => {
  const { alternates } = await read(`/n/${french}?page=2&lang=en`)
  const other = `/n/${french}?page=2&lang=en`
  expect(alternates).toEqual({ en: other, fr: `/n/${french}?page=2`, 'x-default': `/n/${french}?page=2` })
  expect(await read(`/n/${french}?q=port`)).toMatchObject({ alternates: {}, canonical: '' })
})

test('what a visitor chose of the plans is in no canonical address', async () => {
  const { canonical } = await read(`/plans/${french}?per=month&coupon=TIDE&lang=en`)
  expect(canonical).toBe(`/plans/${french}?lang=en`)
})

test('a publication has one address, and what surrounds its text is in the language that was chosen', async () => {
  await publish(french, 'harbour', 'en')
  const path = `/n/${french}/harbour`
  expect(await read(path, 'fr')).toMatchObject({ lang: 'en', canonical: path, alternates: {} })
  expect(await read(`${path}?lang=fr`, 'en')).toMatchObject({ lang: 'fr', canonical: path, alternates: {} })
})

test('a newsletter is read in its own language, in every browser, until another is chosen', async () => {
  const english = await site.addNewsletter()
  await publish(french, 'jusant', 'fr')
  await publish(french, 'maree', 'fr')
  await publish(english, 'tide', 'en')
  const archive = await read(`/n/${french}`, 'en-GB')
  expect(archive.lang).toBe('fr')
  expect(archive.body).toContain('Chercher dans les archives')
  expect(await read(`/n/${english}`)).toMatchObject({ body: expect.not.stringContaining('type="search"') })
  expect((await read(`/n/${english}`, 'fr-FR')).lang).toBe('en')
  expect((await read(`/n/${french}/nothing`, 'en-GB')).lang).toBe('fr')
  const chosen = await read(`/n/${french}?lang=en`, 'fr-FR')
  expect(chosen.lang).toBe('en')
  expect(chosen.body).toContain(`href="/sub/${french}?lang=en"`)
  expect(chosen.body).toContain('<input type="hidden" name="lang" value="en"/>')
  expect(chosen.body).toContain(`<a href="/n/${french}" lang="fr" hrefLang="fr">Français</a>`)
  expect(chosen.body).toMatch(/<h1 class="title" lang="fr"><a href="[^"]*">maree</)
})

test('who is asked for something is asked in the language of their browser', async () => {
  for (const path of [`/subscribe/${french}`, `/plans/${french}`, `/sponsor/${french}`]) {
    expect((await read(path, 'en-GB')).lang).toBe('en')
    expect((await read(path, 'de')).lang).toBe('fr')
    expect((await read(`${path}?lang=fr`, 'en-GB')).lang).toBe('fr')
  }
})

test('who is known is spoken to in their own language, in every browser, until another is chosen', async () => {
  const id = '0192c0de-0000-7000-8000-00000000000c'
  const person = { id, newsletter_id: french, email: 'a@example.org', email_normalised: 'a@example.org' }
  await site.context.db
    .insertInto('subscriber')
    .values({ ...person, language: 'en', status: 'active', confirmed_at: new Date() })
    .execute()
  expect((await read(`/unsub/${french}/${id}`, 'fr')).lang).toBe('en')
  expect((await read(`/unsub/${french}/${id}?lang=fr`, 'en')).lang).toBe('fr')
})
