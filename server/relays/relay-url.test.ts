import { expect, test } from 'vitest'
import { createRelay } from './contract.ts'
import { relayOfUrl } from './relay-url.ts'

test.each([
  [
    'smtps://ines%40x.test:p%20w@mail.x.test',
    { kind: 'smtp', host: 'mail.x.test', port: 465, security: 'tls', username: 'ines@x.test' },
    'p w',
  ],
  ['smtp://mail.x.test', { kind: 'smtp', host: 'mail.x.test', port: 587, security: 'starttls', username: null }, null],
  ['smtp://127.0.0.1:25', { kind: 'smtp', host: '127.0.0.1', port: 25, security: 'none', username: null }, null],
  [
    'smtp://[2001:db8::1]:2525?security=none',
    { kind: 'smtp', host: '2001:db8::1', port: 2525, security: 'none', username: null },
    null,
  ],
  [
    'ses://AKIDEXAMPLE0123456:a/b+c@eu-west-3?configuration-set=news',
    { kind: 'ses', region: 'eu-west-3', accessKeyId: 'AKIDEXAMPLE0123456', configurationSet: 'news' },
    'a/b+c',
  ],
  ['postmark://To-Ken@broadcast', { kind: 'postmark', messageStream: 'broadcast' }, 'To-Ken'],
  ['mailgun://Key-1@mg.x.test?region=eu', { kind: 'mailgun', domain: 'mg.x.test', region: 'eu' }, 'Key-1'],
  ['resend://re_AbC@', { kind: 'resend' }, 're_AbC'],
])('%s', (address, way, secret) => {
  const relay = relayOfUrl(address)
  expect(relay).toEqual({ way, secret })
  expect(createRelay.body.safeParse({ name: 'x', ...relay }).success).toBe(true)
})

test.each(['', '-', 'https://x.test', 'smtp://', 'mailgun:key', 'postmark'])('“%s” is no relay', (address) => {
  expect(createRelay.body.safeParse({ name: 'x', ...relayOfUrl(address) }).success).toBe(false)
})
