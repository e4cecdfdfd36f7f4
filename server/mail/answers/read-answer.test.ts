import { expect, test } from 'vitest'
import { readAnswer } from './read-answer.ts'

test.each([
  ['RCPT TO', 550, 'relay not permitted', 'relay'],
  ['RCPT TO', 554, '5.7.1 <ada@example.com>: Relay access denied', 'relay'],
  [
    'RCPT TO',
    550,
    '550-Verification failed for <news@example.org> 550-No such user 550 Sender verify failed',
    'sender',
  ],
  ['RCPT TO', 550, '5.4.1 Recipient address rejected: Access denied. [mx.outlook.com]', 'recipient'],
  ['RCPT TO', 550, 'no', 'unknown'],
  ['MAIL FROM', 550, 'user unknown', 'sender'],
  ['greeting', 554, 'no such user', 'relay'],
] as const)('%s %i %s concerns the %s, and nobody is gone', (...row) => {
  const [stage, code, text, concerns] = row
  expect(readAnswer({ stage, code, text })).toMatchObject({ concerns, gone: false })
})
