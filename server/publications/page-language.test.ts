import { afterAll, beforeAll, expect, test } from 'vitest'
import { addPaidPlan } from '../testing/charge.ts'
import { paragraph, startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'

let room: TestNewsletter
beforeAll(async () => {
  room = await startTestNewsletter()
  await addPaidPlan(room.context.db, room.newsletterId)
  const content = { type: 'doc', content: [paragraph('Open to all.'), { type: 'paywall' }, paragraph('For some.')] }
  const { id } = await room.draft({ title: 'Low tide', content })
  expect((await room.send(id, { channel: 'web' })).statusCode).toBe(200)
})
afterAll(() => room?.stop())

const visit = async (rest: string) => (await room.inject({ url: `/n/${room.newsletterId}${rest}` })).body
const linksIn = (body: string) => [...body.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, href = '']) => href)

test('whoever chose a language for the archive keeps it around the letters, and where these lead', async () => {
  const archive = await visit('?lang=fr')
  const [letter = ''] = linksIn(archive).filter((href) => href.includes('/low-tide'))
  expect(letter).toBe(`/n/${room.newsletterId}/low-tide?lang=fr`)
  const page = await visit('/low-tide?lang=fr')
  expect(page).toContain('<html lang="fr">')
  expect(page).toContain('S’abonner')
  // The text stays what it was written in, for voices and hyphens; search engines know one address.
  expect(page).toMatch(/<h1 class="title" lang="en">Low tide/)
  expect(page).toMatch(/<div class="document" lang="en">/)
  expect(page).toContain(`rel="canonical" href="${room.context.config.publicUrl}/n/${room.newsletterId}/low-tide"`)
  const ways = linksIn(page).filter((href) => /^\/(n|sub|subscribe|signin|plans)\//.test(href))
  expect(ways.filter((href) => !href.includes('lang=fr'))).toEqual([])
  expect(ways).toContain(`/signin/${room.newsletterId}?to=low-tide&amp;lang=fr`)
  expect(ways).toContain(`/plans/${room.newsletterId}?to=low-tide&amp;lang=fr`)
})

test('whoever chose none sees a letter in its own language, and no address has a language more', async () => {
  expect(linksIn(await visit(''))).toContain(`/n/${room.newsletterId}/low-tide`)
  const page = await visit('/low-tide')
  expect(page).toContain('<html lang="en">')
  expect(page).toMatch(/<div class="document">/)
  expect(linksIn(page)).toContain(`/plans/${room.newsletterId}?to=low-tide`)
  // One that there is not is as none.
  expect(await visit('/low-tide?lang=de')).toContain('<html lang="en">')
})

test('the letters under the page to subscribe keep the language in which it was read', async () => {
  const page = async (lang: string) => (await room.inject({ url: `/subscribe/${room.newsletterId}?lang=${lang}` })).body
  expect(linksIn(await page('fr'))).toContain(`/n/${room.newsletterId}/low-tide?lang=fr`)
  expect(linksIn(await page('en'))).toContain(`/n/${room.newsletterId}/low-tide`)
})

test('only on the archive is the archive the page that one is on, and not on that of a draft, which has no address yet', async () => {
  const current = /aria-current="page"/
  const { id } = await room.draft({ title: 'Not out yet' })
  const { web } = (await room.owner.call('POST', `${room.path}/publications/${id}/preview`, {})).json()
  expect([await visit(''), await visit('/low-tide'), web].map((html) => current.test(html))).toEqual([
    true,
    false,
    false,
  ])
})
