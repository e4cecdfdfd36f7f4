import { createHash } from 'node:crypto'
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
  }
})

test('another page begins empty, with its styles before it', async () => {
  const app = await studioServer()
  const { body } = await app.inject({ url: '/dashboard', headers: html })
  expect(body).toContain('<div id="root"></div>')
  expect(body.indexOf('rel="stylesheet"')).toBeLessThan(body.indexOf('id="root"'))
})

test('the policy names the script in the page by its text, and allows no other', async () => {
  const app = await studioServer()
  const { headers } = await app.inject({ url: '/signup', headers: html })
  const hash = createHash('sha256').update('early()').digest('base64')
  expect(headers['content-security-policy']).toContain(`script-src 'self' 'sha256-${hash}';`)
})
