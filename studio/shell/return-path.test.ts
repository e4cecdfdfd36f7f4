import { expect, test } from 'vitest'
import { signInReturnUrl } from '../identity/after-sign-in.ts'
import { returnPath } from './return-path.ts'

const at = (search: string, state: unknown = null) => ({ pathname: '/login', hash: '', key: '', search, state })

test('whoever came by a link to a screen gets there after a provider or a mailed link signed them in', () => {
  const asked = signInReturnUrl(
    { event: 'login', method: 'google' },
    at('?product=charge', { from: '/subscribers/import?from=mail&page=2' }),
  )
  const { pathname, search } = new URL(asked, 'https://tirage.test')
  expect(pathname).toBe('/arrived')
  expect(new URLSearchParams(search).get('product')).toBe('charge')
  expect(returnPath(at(search))).toBe('/subscribers/import?from=mail&page=2')
})

test.each([
  '//evil.example/login',
  '/\\evil.example/login',
  '\\\\evil.example/login',
  '/\t/evil.example/login',
  'https://evil.example/login',
  'javascript:alert(1)',
  'login',
  '/r/abc',
  '',
])('%j leads nowhere, in an address, in the state and on the way to a provider', (from) => {
  const inAddress = at(`?${new URLSearchParams({ from })}`)
  for (const location of [inAddress, at('', { from })]) {
    expect(returnPath(location)).toBeUndefined()
    expect(signInReturnUrl({ event: 'login', method: 'google' }, location)).not.toContain('from')
  }
})
