import { AFTER_RECIPIENT, type AnswerRule } from '../answer-rule.ts'

/** What remains for codes when no words decided. */
export const codeRules: readonly AnswerRule[] = [
  {
    name: 'before-recipient',
    stages: ['greeting', 'sign-in'],
    concerns: 'relay',
    lasting: 'permanent',
    source: 'RFC 5321 sections 3.1 and 4.3.2: nothing was said of a message',
  },
  {
    name: 'sender-refused',
    stages: ['MAIL FROM'],
    codes: ['5xx'],
    concerns: 'sender',
    lasting: 'permanent',
    source: 'RFC 5321 section 3.3: only the sender was named',
  },
  {
    name: 'sender-deferred',
    stages: ['MAIL FROM'],
    concerns: 'relay',
    lasting: 'temporary',
    source: 'RFC 5321 section 3.3: no recipient was named',
  },
  {
    name: 'gone-code',
    stages: AFTER_RECIPIENT,
    enhanced: ['5.1.1', '5.1.2', '5.1.3', '5.1.6', '5.1.10', '5.2.1'],
    concerns: 'recipient',
    lasting: 'permanent',
    gone: true,
    source: 'RFC 3463 sections 3.2 and 3.3; RFC 7505 section 4.1',
  },
  {
    name: 'recipient-code',
    stages: AFTER_RECIPIENT,
    enhanced: ['x.1.x', 'x.2.x'],
    concerns: 'recipient',
    lasting: 'permanent',
    source: 'RFC 3463 sections 3.2 and 3.3',
  },
  {
    name: 'system-code',
    enhanced: ['x.3.x', 'x.5.x'],
    concerns: 'relay',
    lasting: 'temporary',
    source: 'RFC 3463 sections 3.4 and 3.6',
  },
  {
    name: 'closing',
    stages: ['RCPT TO', 'DATA'],
    codes: ['421'],
    concerns: 'relay',
    lasting: 'temporary',
    source: 'RFC 5321 section 3.8',
  },
  {
    name: 'unknown',
    concerns: 'unknown',
    lasting: 'temporary',
    source: 'A refusal that does not speak of the address is no reason to give it up',
  },
]
