import { spawnSync } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { paragraph, startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'

let room: TestNewsletter
beforeAll(async () => {
  room = await startTestNewsletter()
})
afterAll(() => room.stop())

const script = `
import sys, json, xml.etree.ElementTree as et, email.utils
channel = et.fromstring(sys.stdin.buffer.read()).find('channel')
encoded = '{http://purl.org/rss/1.0/modules/content/}encoded'
print(json.dumps([{'title': i.findtext('title'), 'link': i.findtext('link'), 'guid': i.findtext('guid'), 'whole': i.findtext(encoded),
  'at': email.utils.parsedate_to_datetime(i.findtext('pubDate')).isoformat()} for i in channel.findall('item')]))`

test('the feed is XML that a parser reads, whatever was written', async ({ skip }) => {
  const titles = ['Marée <basse> & ]]> haute', 'Bell\u0007 \u0001 and 🌊', '“Été” & \u2028 l’eau', '<!-- not a comment']
  for (const title of titles) {
    const { id } = await room.draft({ title, content: { type: 'doc', content: [paragraph(`${title} ]]>`)] } })
    const sent = await room.send(id, { channel: 'web' })
    expect(sent.statusCode, sent.body).toBe(200)
  }
  const feed = await room.inject({ url: `/n/${room.newsletterId}/feed.xml` })
  expect(feed.statusCode).toBe(200)
  const read = spawnSync('python3', ['-c', script], { input: feed.rawPayload })
  if (read.error) skip('python3, whose XML parser reads the feed, is not on this machine')
  expect(read.stderr.toString()).toBe('')
  const items = JSON.parse(read.stdout.toString()) as {
    title: string
    link: string
    guid: string
    whole: string
    at: string
  }[]
  const clean = (text: string) => text.replaceAll('\u0001', '').replaceAll('\u0007', '')
  expect(items.map(({ title }) => title).sort()).toEqual(titles.map(clean).sort())
  expect(new Set(items.map(({ guid }) => guid)).size).toBe(titles.length)
  for (const { link, whole, at } of items) {
    expect(link).toMatch(new RegExp(`^http://tirage.test/n/${room.newsletterId}/[a-z0-9-]+$`))
    expect(whole).toMatch(/^<p>.*<\/p>$/s)
    expect(Number.isNaN(Date.parse(at))).toBe(false)
  }
})

test('a video in the feed is a linked picture or a link, and each address is whole', async () => {
  const video = (attrs: Record<string, unknown>) => ({ type: 'video', attrs })
  const content = {
    type: 'doc',
    content: [
      video({
        provider: 'youtube',
        url: 'https://youtu.be/dQw4w9WgXcQ',
        posterSrc: 'https://img.example/p.jpg',
        title: 'La marée',
      }),
      video({ provider: 'file', url: '/media/film.mp4' }),
    ],
  }
  const { id } = await room.draft({ title: 'Films', content })
  expect((await room.send(id, { channel: 'web' })).statusCode).toBe(200)
  const { body } = await room.inject({ url: `/n/${room.newsletterId}/feed.xml` })
  expect(body).toContain('href="https://youtu.be/dQw4w9WgXcQ"'.replaceAll('"', '&quot;'))
  expect(body).toContain('src="https://img.example/p.jpg"'.replaceAll('"', '&quot;'))
  expect(body).toContain('href="http://tirage.test/media/film.mp4"'.replaceAll('"', '&quot;'))
  expect(body).not.toMatch(/&lt;(iframe|video|details|summary)/)
})

test('in a feed, notes lead to those of the page, and no item has anchors that another has too', async () => {
  const note = { type: 'footnote', attrs: { note: [{ type: 'text', text: 'Mostly.' }] } }
  const content = { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Twice' }, note] }] }
  const { id } = await room.draft({ title: 'Notes', content })
  const page = (await room.send(id, { channel: 'web' })).json().url
  const { items } = (await room.inject({ url: `/n/${room.newsletterId}/feed.json` })).json()
  const { content_html: html } = items.find(({ title }: { title: string }) => title === 'Notes')
  expect(html).toContain('Mostly.')
  expect([...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual([
    `${page}#note-1`,
    `${page}#note-place-1`,
  ])
  expect(html).not.toContain('id="note')
  expect((await room.inject({ url: new URL(page).pathname })).body).toContain('href="#note-1"')
})

test('the JSON feed has the same publications with the same texts', async () => {
  const rss = await room.inject({ url: `/n/${room.newsletterId}/feed.xml` })
  const answer = await room.inject({ url: `/n/${room.newsletterId}/feed.json` })
  expect(answer.headers['content-type']).toBe('application/feed+json; charset=utf-8')
  const feed = answer.json()
  const home = `http://tirage.test/n/${room.newsletterId}`
  expect(feed).toMatchObject({ home_page_url: home, feed_url: `${home}/feed.json`, language: 'en' })
  const links = [...rss.body.matchAll(/<item>.*?<link>(.*?)<\/link>/gs)].map(([, link]) => link)
  expect(feed.items.map(({ url }: { url: string }) => url)).toEqual(links)
  const films = feed.items.find(({ title }: { title: string }) => title === 'Films')
  expect(films.content_html).toContain('href="http://tirage.test/media/film.mp4"')
  const again = { url: `/n/${room.newsletterId}/feed.json`, headers: { 'if-none-match': String(answer.headers.etag) } }
  expect((await room.inject(again)).statusCode).toBe(304)
  const page = await room.inject({ url: `/n/${room.newsletterId}` })
  expect(page.body).toContain(
    `<link rel="alternate" type="application/feed+json" title="${feed.title}" href="${home}/feed.json"/>`,
  )
})

test('search engines find what is public, and nothing of a newsletter that has published nothing', async () => {
  const robots = await room.inject({ url: '/robots.txt' })
  expect(robots.headers['content-type']).toBe('text/plain; charset=utf-8')
  const [, index = ''] = /^Sitemap: (.*)$/m.exec(robots.body) ?? []
  const silent = await room.createNewsletter(room.owner)
  const addresses = async (address: string) => {
    const answer = await room.inject({ url: new URL(address).pathname })
    expect(answer.headers['content-type']).toBe('application/xml; charset=utf-8')
    return [...answer.body.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, found = '']) => found)
  }
  const home = `http://tirage.test/n/${room.newsletterId}`
  const maps = await addresses(index)
  expect(maps).toEqual([`${home}/sitemap.xml`])
  expect(maps.join()).not.toContain(silent)
  await room.draft({ title: 'Not yet' })
  const pages = await addresses(`${home}/sitemap.xml`)
  expect(pages).toHaveLength(1 + 6 + 1)
  expect(new Set(pages).size).toBe(pages.length)
  for (const page of pages) expect((await room.inject({ url: new URL(page).pathname })).statusCode).toBe(200)
  expect((await room.inject({ url: '/n/nobody/sitemap.xml' })).statusCode).toBe(404)
})
