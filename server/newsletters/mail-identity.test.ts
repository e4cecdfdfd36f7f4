import { expect, test } from 'vitest'
import { startTestApp } from '../testing/app.ts'
import { mailDomain, mailIdentityOf } from './mail-identity.ts'

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

test('a mail names a domain that relays accept, on a private machine too', async () => {
  const server = await startTestApp({ env: { PUBLIC_URL: 'http://localhost:3999' } })
  const owner = await server.signUp({ email: 'ada@example.org' })
  const id = await server.createNewsletter(owner)
  await server.work()
  const newsletter = (await owner.call('GET', `/api/newsletters/${id}`)).json()
  expect(newsletter.effectiveSender).toBe('tirage@localhost.localdomain')
  const { rows } = (await owner.call('GET', `/api/newsletters/${id}/outbox`)).json()
  const mail = (await owner.call('GET', `/api/newsletters/${id}/outbox/${rows[0].id}`)).json()
  const header = (name: string) => mail.headers.find((each: { name: string }) => each.name === name)?.value
  expect(header('From')).toBe('"Tirage" <tirage@localhost.localdomain>')
  expect(header('Message-ID')).toMatch(/^<[\w-]+@localhost\.localdomain>$/)
  await server.stop()
})

test('a newsletter without a sender address is sent from a mailbox that relays accept', () => {
  const none = { sender_name: 'Low Water', sender_address: null, reply_to: null }
  const sender = mailIdentityOf({ publicUrl: 'http://localhost:3000', mailFrom: null }, none)
  expect(sender).toMatchObject({ address: 'tirage@localhost.localdomain', domain: 'localhost.localdomain' })
})
