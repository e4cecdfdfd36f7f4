import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { maskAddress, readAddress } from './address.ts'

describe('an address', () => {
  test.each([
    ['ada@example.com', 'ada@example.com'],
    ['  Ada.Lovelace@EXAMPLE.com \n', 'ada.lovelace@example.com'],
    ['a.b+tag@gmail.com', 'a.b+tag@gmail.com'],
    ['ada@bücher.example', 'ada@xn--bcher-kva.example'],
    ['ada@BÜCHER.example', 'ada@xn--bcher-kva.example'],
    ['ada@mail.co.uk', 'ada@mail.co.uk'],
    ["o'neil@example.ie", "o'neil@example.ie"],
    ['ada@例え.テスト', 'ada@xn--r8jz45g.xn--zckzah'],
  ])('%s is %s', (typed, normalised) => {
    expect(readAddress(typed)?.normalised).toBe(normalised)
    expect(readAddress(typed)?.typed).toBe(typed.trim())
  })

  test.each([
    '',
    '@',
    'ada',
    'ada@',
    '@example.com',
    'ada@localhost',
    'ada@example',
    'ada@example..com',
    'ada@example.com.',
    'ada@-example.com',
    'ada@1.2.3.4',
    'ada@[1.2.3.4]',
    'ada@ex ample.com',
    'ada@exam%70le.com',
    'ada@example.com:25',
    'ada b@example.com',
    '"ada b"@example.com',
    'ada@example.com, eve@example.com',
    'ada@example.com\r\nbcc: eve@example.com',
    'ada\u0000@example.com',
    '.ada@example.com',
    'ada.@example.com',
    'a..b@example.com',
    'Ada <ada@example.com>',
    `${'a'.repeat(65)}@example.com`,
    `ada@${'a'.repeat(64)}.com`,
    `ada@${'abcdefgh.'.repeat(30)}com`,
  ])('%j is none', (typed) => expect(readAddress(typed)).toBeNull())

  const part = fc.stringMatching(/^[a-z0-9]{1,12}$/)
  const address = fc.tuple(part, part, fc.constantFrom('com', 'fr', 'example')).map(([a, b, c]) => `${a}@${b}.${c}`)

  test('is the same in any case and between any spaces', () => {
    fc.assert(
      fc.property(address, fc.constantFrom('', ' ', '\t', '\n'), (email, space) => {
        expect(readAddress(space + email.toUpperCase() + space)?.normalised).toBe(readAddress(email)?.normalised)
      }),
    )
  })

  test('normalised once is normalised for ever', () => {
    fc.assert(
      fc.property(fc.oneof(address, fc.emailAddress(), fc.string()), (text) => {
        const once = readAddress(text)
        if (once) expect(readAddress(once.normalised)).toEqual({ typed: once.normalised, normalised: once.normalised })
      }),
    )
  })

  test('holds nothing that could end a header or an SMTP command', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
        expect(readAddress(`${a}@${b}.com`)?.normalised ?? 'a@b.c').toMatch(/^[\x21-\x7e]+@[a-z0-9.-]+$/)
      }),
    )
  })
})

test.each([
  ['anatole@orange.fr', 'a…\u2060e@orange.fr'],
  ['ab@orange.fr', 'a…\u2060@orange.fr'],
  ['a@orange.fr', 'a…\u2060@orange.fr'],
])('%s is shown as %s', (email, masked) => expect(maskAddress(email)).toBe(masked))
