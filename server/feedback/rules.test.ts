import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '../root.ts'
import { FeedbackSource } from './contract.ts'
import { classify, type FeedbackEvent } from './rules.ts'

const fact = (
  source: FeedbackEvent['source'],
  event: string,
  ...[detail = null, status = null, words = '']: (string | null)[]
): FeedbackEvent => ({ source, event, detail, status, words: words ?? '' })

test.each([
  [fact('dsn', 'failed', null, '5.1.1'), 'hard'],
  [fact('dsn', 'failed', null, '5.2.1'), 'hard'],
  [fact('dsn', 'failed', null, '5.2.2'), 'soft'],
  [fact('dsn', 'failed', null, '5.7.1'), 'soft'],
  [fact('dsn', 'failed', null, '4.4.7'), 'soft'],
  [fact('dsn', 'failed'), 'soft'],
  // Without a status the words decide, as they do in an answer to RCPT TO.
  [fact('dsn', 'failed', null, null, '550 no such user'), 'hard'],
  [fact('dsn', 'failed', null, '5.0.0', '550 User unknown'), 'hard'],
  [fact('dsn', 'failed', null, null, '550 rejected'), 'soft'],
  // The words decide where the status lies.
  [fact('dsn', 'failed', null, '5.1.1', '550 relay not permitted'), 'soft'],
  [fact('dsn', 'failed', null, '5.1.1', '554 <ada@example.com>: Relay access denied'), 'soft'],
  [fact('dsn', 'failed', null, '5.1.1', '550 Sender verify failed: no such user'), 'soft'],
  [fact('dsn', 'delayed', null, '4.4.1'), 'ignore'],
  [fact('dsn', 'delivered', null, '2.0.0'), 'ignore'],
  [fact('dsn', 'relayed'), 'ignore'],
  [fact('dsn', 'expanded'), 'ignore'],
  [fact('dsn', ''), 'ignore'],
  [fact('arf', 'abuse'), 'complaint'],
  [fact('arf', 'not-spam'), 'ignore'],
  [fact('arf', 'auth-failure'), 'ignore'],
  [fact('ses', 'bounce', 'permanent', '5.7.1'), 'hard'],
  [
    fact('ses', 'bounce', 'permanent', '5.7.1', '550 5.7.1 Client host [192.0.2.1] blocked using zen.spamhaus.org'),
    'soft',
  ],
  [fact('ses', 'bounce', 'permanent', null, ''), 'hard'],
  [fact('ses', 'bounce', 'transient'), 'soft'],
  [fact('ses', 'bounce', 'undetermined'), 'soft'],
  [fact('ses', 'complaint', 'abuse'), 'complaint'],
  [fact('ses', 'complaint', 'not-spam'), 'ignore'],
  [fact('ses', 'delivery'), 'ignore'],
  [fact('postmark', 'bounce', 'hardbounce'), 'hard'],
  [fact('postmark', 'bounce', 'transient'), 'soft'],
  [fact('postmark', 'bounce', 'autoresponder'), 'ignore'],
  [fact('postmark', 'spamcomplaint'), 'complaint'],
  [fact('mailgun', 'failed', 'permanent', '5.1.1'), 'hard'],
  [fact('mailgun', 'failed', 'permanent', '5.2.2'), 'soft'],
  [fact('mailgun', 'failed', 'permanent', null, '550 Invalid Recipient'), 'hard'],
  [fact('mailgun', 'failed', 'permanent', '5.1.1', '550 relaying denied'), 'soft'],
  [fact('mailgun', 'failed', 'temporary', '4.2.2'), 'ignore'],
  [fact('mailgun', 'failed', 'suppress-bounce', null, 'Not delivering to previously bounced address'), 'hard'],
  [fact('mailgun', 'complained'), 'complaint'],
  [fact('resend', 'email.bounced', 'permanent'), 'hard'],
  [fact('resend', 'email.bounced', 'transient'), 'soft'],
  [fact('resend', 'email.complained'), 'complaint'],
  [fact('resend', 'email.delivered'), 'ignore'],
  // One source’s words mean nothing from another.
  [fact('dsn', 'complained'), 'ignore'],
  [fact('postmark', 'bounce', 'permanent'), 'ignore'],
] as const)('%j is %s', (event, kind) => {
  expect(classify(event)).toBe(kind)
})

test('the published table names every source and every kind', () => {
  const published = readFileSync(join(projectRoot, 'docs/feedback.md'), 'utf8')
  for (const word of [...FeedbackSource.options, 'hard', 'soft', 'complaint']) expect(published).toContain(word)
})
