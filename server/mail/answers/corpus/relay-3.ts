import type { AnswerGroup } from './answer-group.ts'

export const relay3Answers: readonly AnswerGroup[] = [
  {
    source: 'bentonow.com, Laposte.net SMTP errors',
    concerns: 'relay',
    lasting: 'temporary',
    answers: [
      [
        'RCPT TO',
        '450 4.7.1 Client host rejected: Service refuse, Veuillez essayer plus tard. service refused, please try later. LPN027_503',
      ],
    ],
  },
  {
    source: 'sisimai/p5-sisimai, lib/Sisimai/Rhost/Mimecast.pm',
    concerns: 'relay',
    lasting: 'temporary',
    answers: [
      ['RCPT TO', '451 IP temporarily blacklisted - https://community.mimecast.com/docs/DOC-1369#451'],
      ['RCPT TO', '451 Open relay not allowed'],
    ],
  },
  {
    source: 'GMX, newsroom.gmx.net, Unzustellbar',
    concerns: 'relay',
    lasting: 'temporary',
    answers: [['RCPT TO', '450 Rate limit reached. Please try again later']],
  },
  {
    source: 'portal.iridis.uk, mailRelay response codes',
    concerns: 'relay',
    lasting: 'temporary',
    answers: [
      ['RCPT TO', '450 HST-RTE: Hourly send rate exceeded, retry later.'],
      ['RCPT TO', '450 HST-RTE: Daily send rate exceeded, retry later'],
    ],
  },
  {
    source: 'sisimai/p5-sisimai, lib/Sisimai/Rhost/Tencent.pm',
    concerns: 'relay',
    lasting: 'temporary',
    answers: [
      ['RCPT TO', '550 Ip frequency limited. http://service.mail.qq.com'],
      ['RCPT TO', '550 Domain frequency limited'],
      ['RCPT TO', '550 Sender frequency limited'],
    ],
  },
  {
    source: 'sisimai/p5-sisimai, lib/Sisimai/Rhost/FrancePTT.pm',
    concerns: 'relay',
    lasting: 'temporary',
    answers: [
      [
        'RCPT TO',
        '550 5.5.0 Service refuse. Veuillez essayer plus tard. service refused, please try later. LPN001_108',
      ],
    ],
  },
  {
    source: 'notqmail/notqmail, qmail-smtpd.c',
    concerns: 'relay',
    lasting: 'temporary',
    answers: [['DATA', '451 qqt failure (#4.3.0)']],
  },
  {
    source: 'OpenSMTPD/OpenSMTPD, usr.sbin/smtpd/smtp_session.c',
    concerns: 'relay',
    lasting: 'temporary',
    session: true,
    answers: [
      ['MAIL FROM', '452 4.5.3 Too many recipients: Too many messages sent'],
      ['RCPT TO', '451 4.5.3 Too many recipients: Too many recipients'],
      ['MAIL FROM', '421 4.3.0 Temporary Error'],
      ['DATA', '421 4.3.0 Temporary failure'],
    ],
  },
  {
    source: 'sisimai/p5-sisimai, lib/Sisimai/Rhost/GoDaddy.pm',
    concerns: 'relay',
    lasting: 'temporary',
    session: true,
    answers: [
      [
        'MAIL FROM',
        '550 This message has exceeded the max number of messages per session. Open a new session and try again. IB510',
      ],
      ['RCPT TO', '452 This message contains too many recipients. Reduce the number of recipients and retry. IB605'],
      [
        'greeting',
        '421 Connection refused, too many sessions from This IP. Lower the number of concurrent sessions. IB007',
      ],
      ['greeting', '421 Server temporarily unavailable. Try again later. IB101'],
      ['greeting', '421 Temporarily rejected. Reverse DNS for this IP failed. IB108'],
    ],
  },
  {
    source: 'sisimai/p5-sisimai, lib/Sisimai/Rhost/YahooInc.pm',
    concerns: 'relay',
    lasting: 'temporary',
    session: true,
    answers: [
      ['MAIL FROM', '421 Max message per connection reached, closing transmission channel'],
      [
        'MAIL FROM',
        '421 4.7.0 [TSS04] Messages from 192.0.2.25 temporarily deferred due to unexpected volume or user complaints - 4.16.55.1; see https://postmaster.yahooinc.com/error-codes (in reply to MAIL FROM command))',
      ],
    ],
  },
  {
    source: 'sisimai/p5-sisimai, lib/Sisimai/Rhost/Google.pm',
    concerns: 'relay',
    lasting: 'temporary',
    session: true,
    answers: [
      [
        'DATA',
        '421 4.7.0 Our system has detected an unusual rate of unsolicited mail originating from your IP address. To protect our users from spam, mail sent from your IP address has been temporarily blocked.',
      ],
      ['MAIL FROM', '450 4.2.1 Peak SMTP relay limit exceeded for customer. This is a temporary error.'],
      ['greeting', '421 4.7.0 IP not in whitelist for RCPT domain, closing connection.'],
      ['greeting', '421 4.7.0 Try again later, closing connection.'],
      [
        'DATA',
        '421 4.7.28 Gmail has detected an unusual rate of mail originating from your IP address 192.0.2.25. To protect our users from spam, mail has been temporarily rate limited.',
      ],
      ['RCPT TO', '421 4.7.0 TLS required for RCPT domain, closing connection.'],
      ['DATA', "421 4.7.29 Your email has been rate limited because this message wasn't sent over a TLS connection."],
      ['DATA', '421 4.4.5 Server busy, try again later.'],
      [
        'RCPT TO',
        '452 4.5.3 Domain policy size per transaction exceeded, please try this recipient in a separate transaction.',
      ],
      ['MAIL FROM', '421 4.7.0 Connection expired, try reconnecting.'],
      ['DATA', '421 4.3.0 Temporary System Problem. Try again later.'],
    ],
  },
  {
    source: 'sisimai/go-sisimai, reason/02-includedin_test.go',
    concerns: 'relay',
    lasting: 'temporary',
    session: true,
    answers: [
      ['greeting', '421 Too many connections'],
      ['MAIL FROM', '452 4.3.2 Connection rate limit exceeded. (in reply to MAIL FROM command)'],
    ],
  },
  {
    source: 'Amazon SES, troubleshooting and SMTP response codes',
    concerns: 'relay',
    lasting: 'temporary',
    session: true,
    answers: [['greeting', '421 Too many concurrent SMTP connections']],
  },
  {
    source: 'sisimai/p5-sisimai, lib/Sisimai/Rhost/Cox.pm',
    concerns: 'relay',
    lasting: 'temporary',
    session: true,
    answers: [
      ['MAIL FROM', '421 cox too many sessions from 192.0.2.1'],
      ['MAIL FROM', '452 message threshold exceeded'],
    ],
  },
  {
    source: 'bytecamp.net, Fehlermeldungen bei Zustellproblemen',
    concerns: 'relay',
    lasting: 'temporary',
    session: true,
    answers: [['RCPT TO', '421 4.7.0 Error: too many connections from 192.0.2.1']],
  },
  {
    source: 'notqmail/notqmail, qmail-smtpd.c',
    concerns: 'relay',
    lasting: 'temporary',
    session: true,
    answers: [
      ['greeting', '421 unable to read controls (#4.3.0)'],
      ['RCPT TO', '421 out of memory (#4.3.0)'],
    ],
  },
  {
    source: 'sisimai/p5-sisimai, lib/Sisimai/Rhost/FrancePTT.pm',
    concerns: 'relay',
    lasting: 'temporary',
    session: true,
    answers: [
      [
        'greeting',
        '421 mwinf5c77 ME Service refuse. Veuillez essayer plus tard. Service refused, please try later. OFR_999 [999]',
      ],
      ['greeting', '421 Too many connections, slow down. LPN105_104'],
    ],
  },
  {
    source: 'sisimai/p5-sisimai, lib/Sisimai/Rhost/Mimecast.pm',
    concerns: 'relay',
    lasting: 'temporary',
    session: true,
    answers: [['greeting', '421 Unable to process connection at this time']],
  },
  {
    source: 'sisimai/p5-sisimai, lib/Sisimai/Rhost/Apple.pm',
    concerns: 'relay',
    lasting: 'temporary',
    session: true,
    answers: [
      [
        'RCPT TO',
        '421 4.7.1 Messages to ada@icloud.com deferred due to excessive volume. Try again later - https://support.apple.com/en-us/HT204137',
      ],
    ],
  },
  {
    source: 'Microsoft, non-delivery reports in Exchange Online, in sisimai/p5-sisimai, lib/Sisimai/Rhost/Microsoft.pm',
    concerns: 'relay',
    lasting: 'temporary',
    session: true,
    answers: [['MAIL FROM', '451 4.7.700 PFA agent busy, please try again.']],
  },
  {
    source: 'sisimai/p5-sisimai, lib/Sisimai/Rhost/Mimecast.pm',
    concerns: 'relay',
    lasting: 'temporary',
    session: true,
    answers: [['MAIL FROM', '451 Account service is temporarily unavailable']],
  },
  {
    source: 'SparkPost, Momentum message responses',
    concerns: 'relay',
    lasting: 'temporary',
    session: true,
    answers: [
      ['RCPT TO', '452 4.5.3 Service unavailable, batch limit reached'],
      ['greeting', '421 4.4.5 Service unavailable, concurrency limit reached'],
    ],
  },
  {
    source: 'pastebin.com, Comcast',
    concerns: 'relay',
    lasting: 'temporary',
    session: true,
    answers: [
      [
        'greeting',
        '421 resimta-po-18v.sys.comcast.net 192.185.15.239 Throttled - try again later. Please see http://postmaster.comcast.net/smtp-error-codes.php#RL000002',
      ],
    ],
  },
  {
    source: 'pastebin.com, a session of MDaemon',
    concerns: 'relay',
    lasting: 'temporary',
    session: true,
    answers: [
      [
        'MAIL FROM',
        '451-The server has reached its limit for processing requests from your host. 451 Please try again later.',
      ],
    ],
  },
]
