import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { languages } from '../languages.ts'
import { studioServer } from '../testing/studio-server.ts'
import { translator } from '../translator.ts'

const html = { accept: 'text/html' }

test.each(languages)('a sign-in page has its words before its styles and scripts, in %s', async (language) => {
  const app = await studioServer(language)
  const t = translator(language)
  for (const [url, page] of [
    ['/signup', 'signUp'],
    ['/login', 'login'],
  ] as const) {
    const { body } = await app.inject({ url, headers: html })
    expect(body).toContain(`<h1>${t(`identity.${page}.title`)}</h1>`)
    expect(body).toContain('url("/static/newsreader-title-1.woff2")')
    expect(body.indexOf('</h1>')).toBeLessThan(body.indexOf('rel="stylesheet"'))
    expect(body.match(/rel="stylesheet"/g)).toHaveLength(1)
    // They wait there until it is seen.
    const [, waiting = ''] = /<template id="scripts">(.*?)<\/template>/s.exec(body) ?? []
    expect(waiting).toContain('<script type="module"')
    expect(body.replace(waiting, '')).not.toMatch(/modulepreload|type="module"/)
  }
})

test('another page begins empty, with its styles before it', async () => {
  const app = await studioServer()
  const { body } = await app.inject({ url: '/dashboard', headers: html })
  expect(body).toContain('<div id="root"></div>')
  expect(body.indexOf('rel="stylesheet"')).toBeLessThan(body.indexOf('id="root"'))
})

test('the policy names the scripts in the page by their text, and allows no other', async () => {
  const app = await studioServer()
  const { body, headers } = await app.inject({ url: '/signup', headers: html })
  const written = [...body.matchAll(/<script>(.*?)<\/script>/gs)].map(([, script = '']) => script)
  expect(written).toEqual(['early()', expect.stringContaining('requestAnimationFrame')])
  const hashes = written.map((script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`)
  expect(headers['content-security-policy']).toContain(`script-src 'self' ${hashes.join(' ')};`)
})

test('a page of the app is compressed as the browser prefers', async () => {
  const app = await studioServer()
  const plain = await app.inject({ url: '/signup', headers: html })
  const zipped = await app.inject({ url: '/signup', headers: { ...html, 'accept-encoding': 'gzip' } })
  expect(zipped.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding, accept-language' })
  const withoutNonce = (text: string) => text.replaceAll(/nonce="[^"]*"/g, '')
  expect(withoutNonce(gunzipSync(zipped.rawPayload).toString())).toBe(withoutNonce(plain.body))
  expect(plain.headers).not.toHaveProperty('content-encoding')
})
