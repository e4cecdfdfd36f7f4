import { expect, test } from 'vitest'
import { isBeforeMail, meaningOf, wordsOf } from './answer-meaning.ts'

test.each([
  ['250 2.0.0 Ok: queued as 4XyZ', null],
  ['250 ok', null],
  ['', null],
  ['550 5.1.1 <gone@example.org>: Recipient address rejected: User unknown', 'noMailbox'],
  ['550-5.1.1 The email account that you tried to reach does not exist.', 'noMailbox'],
  ['550 5.1.2 bad destination host', 'noDomain'],
  ['556 5.1.10 null MX', 'noDomain'],
  ['553 5.1.3 bad syntax', 'badAddress'],
  ['550 5.1.8 sender domain not found', 'ourAddress'],
  ['550 5.2.1 mailbox disabled', 'closed'],
  ['452 4.2.2 The recipient’s inbox is out of storage space', 'full'],
  ['552 5.2.2 over quota', 'full'],
  ['552 5.3.4 message size exceeds limit', 'tooLarge'],
  ['550 5.7.1 blocked by policy', 'policy'],
  ['550 5.7.26 unauthenticated mail is prohibited', 'unsigned'],
  ['535 5.7.8 bad credentials', 'login'],
  ['451 4.7.1 greylisted, try again later', 'later'],
  ['421 4.7.28 unusual rate of mail', 'later'],
  ['451 4.3.0 temporary failure', 'busy'],
  ['451 4.4.1 no answer from host', 'network'],
  ['550 5.6.0 message rejected', 'content'],
  ['450 try later', 'busy'],
  ['550 no', 'refused'],
  ['599 whatever', 'refused'],
  ['Connection reset by peer', null],
  ['getaddrinfo ENOTFOUND smtp.example.org', 'unknownHost'],
  ['connect ECONNREFUSED 192.0.2.1:587', 'nobodyListens'],
  ['connect ETIMEDOUT 192.0.2.1:587', 'noAnswer'],
  ['The certificate of smtp.example.org cannot be trusted: self-signed certificate', 'certificate'],
  ['The relay offers no encryption, and a password is not sent without', 'noEncryption'],
  ['TLS with 127.0.0.1 failed: wrong version number', 'plainPort'],
  ['TLS with 127.0.0.1 failed: tlsv1 alert protocol version', 'tls'],
  ['The relay offers STARTTLS and refuses it: 454 4.7.0 TLS not available', 'tls'],
  ['The relay offers no way to sign in with a password (it offers none)', 'noSignIn'],
  ['The relay did not greet us in time', 'silent'],
  ['The relay did not answer MAIL FROM in time', 'noAnswer'],
  ['The relay closed the connection', 'hungUp'],
  ['10.0.0.7 is an address of a private network, and this server asks only public ones', 'private'],
  ['550 see RFC 5321, 192.168.5.1 said no', 'refused'],
])('“%s” means %s', (answer, meaning) => {
  expect(meaningOf(answer)).toBe(meaning)
})

test('a sentence of ours is nobody’s words, and what went wrong before a mail refused none', () => {
  expect(wordsOf('TLS with 127.0.0.1 failed: wrong version number')).toBeNull()
  expect(wordsOf('The relay did not greet us in time')).toBeNull()
  expect(wordsOf('535 5.7.8 bad credentials')).toBe('535 5.7.8 bad credentials')
  expect(isBeforeMail('TLS with 127.0.0.1 failed: wrong version number')).toBe(true)
  expect(isBeforeMail('535 5.7.8 bad credentials')).toBe(false)
})
