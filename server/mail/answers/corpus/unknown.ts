import type { AnswerGroup } from './answer-group.ts'

export const unknownAnswers: readonly AnswerGroup[] = [
  {
    source: 'sitepackage.de, Typische Fehlermeldungen bei Unzustellbarkeit',
    concerns: 'unknown',
    lasting: 'temporary',
    answers: [
      ['DATA', '550 5.7.1 Requested action not taken: message refused'],
      ['RCPT TO', '550 Protocol violation'],
      ['RCPT TO', '550 Recipient verification problem'],
    ],
  },
  {
    source: 'sisimai/go-sisimai, reason/02-includedin_test.go',
    concerns: 'unknown',
    lasting: 'temporary',
    answers: [
      ['DATA', '570 5.7.7 Email not accepted for policy reasons'],
      ['DATA', '550 Denied by policy'],
      ['report', '554 5.4.6 Too many hops'],
      ['report', '554 5.4.6 Hop count exceeded - possible mail loop'],
      ['report', '421 4.4.7 Delivery time expired'],
      ['report', 'Delivery to the following recipient has been delayed: Message will be retried for 2 more day(s)'],
      ['report', '556 SMTP protocol returned a permanent error'],
      ['report', 'X-Postfix; mail for example.jp loops back to myself'],
    ],
  },
  {
    source: 'sisimai/p5-sisimai, lib/Sisimai/Rhost/YahooInc.pm',
    concerns: 'unknown',
    lasting: 'temporary',
    answers: [
      [
        'DATA',
        '554 Message not allowed - [PH01] Email not accepted for policy reasons. Please visit https://postmaster.yahooinc.com/error-codes',
      ],
      ['DATA', '554 5.7.9 Message not accepted for policy reasons. See https://postmaster.yahooinc.com/error-codes'],
    ],
  },
  {
    source: 'sisimai/p5-sisimai, lib/Sisimai/Rhost/Google.pm',
    concerns: 'unknown',
    lasting: 'temporary',
    answers: [
      [
        'DATA',
        '550 5.7.1 The user or domain that you are sending to (or from) has a policy that prohibited the mail that you sent. Please contact your domain administrator for further details.',
      ],
      ['report', '554 5.4.6 Message exceeded 50 hops, this may indicate a mail loop.'],
    ],
  },
  {
    source: 'sisimai/p5-sisimai, lib/Sisimai/Rhost/Apple.pm',
    concerns: 'unknown',
    lasting: 'temporary',
    answers: [
      [
        'DATA',
        '550 5.7.1 [CS01] Message rejected due to local policy. Please visit https://support.apple.com/en-us/HT204137',
      ],
    ],
  },
  {
    source: 'Microsoft, non-delivery reports in Exchange Online, in sisimai/p5-sisimai, lib/Sisimai/Rhost/Microsoft.pm',
    concerns: 'unknown',
    lasting: 'temporary',
    answers: [
      ['report', '550 5.4.300 Message expired'],
      ['DATA', '550 5.0.350 Requested action not taken: policy violation detected (AS345)'],
      ['DATA', '550 5.7.1 Delivery not authorized, message refused'],
      ['report', '550 4.4.7 QUEUE.Expired; message expired'],
    ],
  },
  {
    source: 'KumoCorp/kumomta, assets/community/bounces.toml',
    concerns: 'unknown',
    lasting: 'temporary',
    answers: [
      ['RCPT TO', '550 permanent failure for one or more recipients (ada@example.com:blocked)'],
      ['DATA', '550 Reject due to policy restrictions'],
      ['DATA', '550 Message denied'],
      ['DATA', '452 restricted by policy error'],
      ['DATA', '451 Temporarily unable to process your email. Please try again later.'],
    ],
  },
  {
    source: 'sisimai/p5-sisimai, lib/Sisimai/Reason/UserUnknown.pm',
    concerns: 'unknown',
    lasting: 'temporary',
    answers: [
      ['RCPT TO', '550 user missing home directory'],
      ['RCPT TO', '550 no valid recipients, bye'],
    ],
  },
  {
    source: 'sisimai/p5-sisimai, lib/Sisimai/Rhost/Mimecast.pm',
    concerns: 'unknown',
    lasting: 'temporary',
    answers: [
      ['RCPT TO', '550 Administrative prohibition envelope blocked'],
      ['DATA', '451 Unable to process an email at this time'],
    ],
  },
  {
    source: 'notqmail/notqmail, qmail-smtpd.c',
    concerns: 'unknown',
    lasting: 'temporary',
    answers: [['DATA', '554 too many hops, this message is looping (#5.4.6)']],
  },
  {
    source: 'docs.kumomta.com, consecutive_connection_failures_before_delay',
    concerns: 'unknown',
    lasting: 'temporary',
    answers: [['report', '451 4.4.1 No answer from any hosts listed in MX']],
  },
  {
    source: 'RFC 5321 section 4.2.2',
    concerns: 'unknown',
    lasting: 'temporary',
    answers: [
      ['RCPT TO', '554 Transaction failed'],
      ['DATA', '451 Requested action aborted: local error in processing'],
      ['RCPT TO', '550'],
    ],
  },
  {
    source: 'Exim, src/src/verify.c, which says it of senders and of recipients',
    concerns: 'unknown',
    lasting: 'temporary',
    answers: [['RCPT TO', '550 Previous (cached) callout verification failure']],
  },
  {
    source: 'ionos.com, error messages caused by undeliverable email',
    concerns: 'unknown',
    lasting: 'temporary',
    answers: [
      [
        'report',
        "550 Your message couldn't be delievered to all recipients. The following recipients are not reachable",
      ],
    ],
  },
  {
    source: 'coviserver.de, E-Mail geblockt',
    concerns: 'unknown',
    lasting: 'temporary',
    answers: [['DATA', '451 4.7.1 Service unavailable - try again later (in reply to DATA command)']],
  },
  {
    source: 'MailPress for WordPress, class MP_Bounce_II',
    concerns: 'unknown',
    lasting: 'temporary',
    answers: [
      ['report', '542 Rejected'],
      ['report', 'CNAME lookup failed temporarily'],
      ['report', 'cannot store document'],
      ['report', 'malformed or unexpected name server reply'],
      ['report', "isn't in my list of allowed recipients"],
    ],
  },
]
