import { expect, test } from 'vitest'
import { dnsName, isFreeMail, isLocal, organisationOf } from './domain-names.ts'

test.each([
  ['Marée.Test.', 'xn--mare-dpa.test'],
  ['a_b.test', 'a_b.test'],
  ['192.0.2.1', null],
  ['a..test', null],
  ['-a.test', null],
  ['', null],
  [`${'a'.repeat(64)}.test`, null],
])('the domain of %s is %s', (text, expected) => {
  expect(dnsName(text)).toBe(expected)
})

test('organisational domains, mailbox providers and local names are recognised', () => {
  expect(['news.a.co.uk', 'a.github.io', 'a.test', 'co.uk'].map(organisationOf)).toEqual([
    'a.co.uk',
    'a.github.io',
    'a.test',
    'co.uk',
  ])
  expect(['gmail.com', 'orange.fr', 'lowwater.test'].map(isFreeMail)).toEqual([true, true, false])
  expect(['localhost', 'a.localdomain', 'nas.lan', 'lowwater.test'].map(isLocal)).toEqual([true, true, true, false])
})
