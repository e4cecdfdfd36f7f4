import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { studioPaths } from '../http/studio-paths.ts'
import { refuseForeignReturn } from './return-address.ts'

const isAllowed = (callbackURL: unknown) => {
  try {
    refuseForeignReturn({ body: { callbackURL }, query: {} })
    return true
  } catch {
    return false
  }
}

test.each(Object.values(studioPaths))('one goes on to %s', (path) => {
  expect(isAllowed(path.replaceAll(/:\w+/g, 'Abc-123_x'))).toBe(true)
  expect(isAllowed(`${path.replaceAll(/:\w+/g, 'abc')}?product=x#here`)).toBe(true)
})

describe('never through a page that leads elsewhere', () => {
  const leading = [
    'r',
    'redirect',
    'sub',
    'subscribe',
    'unsub',
    'n',
    'confirm',
    'optin',
    'o',
    'media',
    'api',
    'api/auth/x',
  ]
  const before = [
    '',
    '/',
    '//',
    '/\\',
    '\\',
    '/./',
    '/login/../',
    '/login/..//',
    '/%2e%2e/',
    '/login/%2e%2e/',
    '/.%2e/',
    '/\t/',
    '/\n/',
    '/%2f',
    '/login%2f..%2f',
    '/invitation/..%2f',
    '/invitation/..%5c',
    '/publish/create/..%2f..%2f..%2f',
    '/login/..;/',
    '/login;/../',
    '/a/../',
    '\u0000/',
    'https://tirage.test/',
    '//tirage.test/',
    'javascript:',
    '/login\\..\\',
    '/login/.%0a./',
    '/%5c',
    '/login/%252e%252e%252f',
    '/\u2025/',
    '/／',
  ]
  test.each(leading)('/%s', (page) => {
    for (const start of before)
      for (const end of ['', '/', '/x', '/x/y', '?x', '#x', '%2fx', '/x%00', '/x?a=/login'])
        for (const address of [
          start + page + end,
          start + page.toUpperCase() + end,
          (start + page + end).replaceAll('/', '\\'),
        ])
          expect([address, isAllowed(address)]).toEqual([address, false])
  })

  test('whatever is allowed is a screen of the owner app, for a browser and for a proxy that decodes', () => {
    const part = fc.constantFrom(
      '/',
      '\\',
      '..',
      '.',
      '%2e',
      '%2f',
      '%5c',
      '%00',
      '\t',
      '//',
      'r',
      'redirect',
      'login',
      'dashboard',
      'invitation',
      'publish',
      'create',
      'x',
      '@',
      ':',
      '?',
      '#',
      'evil.example',
      'http',
      ';',
      '\u0000',
      '％2f',
    )
    const firsts = new Set(Object.values(studioPaths).map((path) => path.split('/')[1]))
    fc.assert(
      fc.property(
        fc.array(part, { minLength: 1, maxLength: 9 }).map((parts) => parts.join('')),
        (address) => {
          if (!isAllowed(address)) return
          const { host, pathname } = new URL(address, 'http://tirage.test')
          expect(host).toBe('tirage.test')
          const decoded = new URL(decodeURIComponent(pathname), 'http://tirage.test')
          expect(decoded.pathname).toBe(pathname)
          expect(firsts.has(pathname.split('/')[1])).toBe(true)
        },
      ),
      { numRuns: 20_000 },
    )
  })

  test.each([null, 1, true, [], ['/login'], {}, '', 'login'])('%j is no address', (value) =>
    expect(isAllowed(value)).toBe(false),
  )
})
