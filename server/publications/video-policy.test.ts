import { afterAll, beforeAll, expect, test } from 'vitest'
import { paragraph, startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'

let room: TestNewsletter
beforeAll(async () => {
  room = await startTestNewsletter()
})
afterAll(() => room.stop())

const youtube = 'https://www.youtube-nocookie.com'
const vimeo = 'https://player.vimeo.com'

test.each([
  ['no video', 'Plain', null, null],
  ['a player only in words', `<iframe src="${youtube}/embed/abcdefghijk">`, null, null],
  ['a video of YouTube', 'One', 'https://www.youtube.com/watch?v=abcdefghijk', `frame-src ${youtube}`],
  ['a video of Vimeo', 'Two', 'https://vimeo.com/123456', `frame-src ${vimeo}`],
])('a page with %s frames that provider and nobody else', async (...[, title, url, allowed]) => {
  const provider = url?.includes('vimeo') ? 'vimeo' : 'youtube'
  const video = url ? [{ type: 'video', attrs: { url, provider, title: 'The bell' } }] : []
  const { id } = await room.draft({ title, content: { type: 'doc', content: [paragraph(title), ...video] } })
  const sent = await room.send(id, { channel: 'web' })
  expect(sent.statusCode, sent.body).toBe(200)
  const page = await room.inject({ url: new URL(sent.json().url).pathname })
  expect(page.statusCode).toBe(200)
  const policy = String(page.headers['content-security-policy']).split('; ')
  expect(policy.filter((rule) => rule.startsWith('frame-src'))).toEqual(allowed ? [allowed] : [])
  if (url) expect(page.body).toContain('<iframe src="https://')
})

test.each([
  ['https://youtu.be/abcdefghijk', `${youtube}/embed/abcdefghijk`, ''],
  ['https://vimeo.com/123456', `${vimeo}/video/123456`, '?dnt=1'],
])(
  'in the preview, the player of %s is in a page of ours that may frame that video and nothing else',
  async (...[url, embed, query]) => {
    const video = {
      type: 'video',
      attrs: { url, provider: url.includes('vimeo') ? 'vimeo' : 'youtube', title: 'The bell' },
    }
    const { id } = await room.draft({
      title: 'A draft',
      content: { type: 'doc', content: [paragraph('Here.'), video] },
    })
    const preview = await room.owner.call('POST', `${room.path}/publications/${id}/preview`, {})
    const [, path = ''] = /<iframe src="([^"]+)"/.exec(preview.json().web) ?? []
    expect(path).toBe(`/player?video=${encodeURIComponent(url)}`)

    const player = await room.inject({ url: path })
    expect(player.statusCode).toBe(200)
    expect(player.body).toContain(`<iframe src="${embed}${query}"`)
    const policy = String(player.headers['content-security-policy']).split('; ')
    expect(policy).toEqual(
      expect.arrayContaining([`frame-src ${embed}`, "default-src 'none'", "frame-ancestors 'self'"]),
    )
  },
)

test.each(['https://evil.example/embed/abcdefghijk', 'https://example.org/tide.mp4', 'javascript:alert(1)', ''])(
  'there is no player for %j',
  async (url) => {
    expect((await room.inject({ url: `/player?video=${encodeURIComponent(url)}` })).statusCode).toBe(404)
  },
)
