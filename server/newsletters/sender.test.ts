import { expect, test } from 'vitest'
import { mailDomain, senderOf } from './sender.ts'

test.each([
  ['news.example.org', 'news.example.org'],
  ['news.example.org.', 'news.example.org'],
  ['localhost', 'localhost.localdomain'],
  ['tirage', 'tirage.localdomain'],
  ['192.168.1.5', '192-168-1-5.localdomain'],
  ['[::1]', '1.localdomain'],
  ['[2001:db8::5]', '2001-db8-5.localdomain'],
])('mail from an instance at %s comes from %s', (host, domain) => {
  expect(mailDomain(host)).toBe(domain)
})

test('a newsletter without an address of its own is sent from a mailbox that relays take', () => {
  const none = { sender_name: 'Low Water', sender_address: null, reply_to: null }
  const sender = senderOf({ publicUrl: 'http://localhost:3000' }, none)
  expect(sender).toMatchObject({ address: 'tirage@localhost.localdomain', domain: 'localhost.localdomain' })
})
