import type { AnswerGroup } from './answer-group.ts'

export const sender2Answers: readonly AnswerGroup[] = [
  {
    source: 'notqmail/notqmail, qmail-smtpd.c',
    concerns: 'sender',
    lasting: 'permanent',
    answers: [['RCPT TO', '553 sorry, your envelope sender is in my badmailfrom list (#5.7.1)']],
  },
  {
    source: 'OpenSMTPD/OpenSMTPD, usr.sbin/smtpd/smtp_session.c',
    concerns: 'sender',
    lasting: 'permanent',
    answers: [
      ['MAIL FROM', '530 Sender rejected'],
      ['MAIL FROM', '553 5.1.0 Sender address syntax error'],
    ],
  },
  {
    source: 'support.onesystems.ch, Fehlermeldungen',
    concerns: 'sender',
    lasting: 'permanent',
    answers: [['RCPT TO', '550 5.1.8 <news@example.org>: Sender address rejected: Domain not found']],
  },
  {
    source: 'goneo.de, E-Mail-Fehlermeldungen',
    concerns: 'sender',
    lasting: 'permanent',
    answers: [['RCPT TO', '553 <news@example.org>: Sender address rejected: not owned by user ada@example.org']],
  },
  {
    source: 'spambrella.com, common email delivery error codes',
    concerns: 'sender',
    lasting: 'permanent',
    answers: [['RCPT TO', '550 5.1.0 sender rejected']],
  },
  {
    source: 'viws.ru, Mail.ru',
    concerns: 'sender',
    lasting: 'permanent',
    answers: [
      [
        'DATA',
        '550 5.7.1 This message was not accepted due to domain owner DMARC policy (RFC 7489) https://help.mail.ru/mail-help/postmaster/dmarc',
      ],
      ['DATA', '550 5.7.1 Email rejected per DMARC policy for example.org'],
    ],
  },
  {
    source: 'Yandex, report on non-delivery to another address',
    concerns: 'sender',
    lasting: 'permanent',
    answers: [
      [
        'RCPT TO',
        '550 5.7.1 SPF check failed: 192.0.2.1 is not authorized to send in the name of example.org. (in reply to RCPT TO command)',
      ],
    ],
  },
  {
    source: 'portal.iridis.uk, mailRelay response codes',
    concerns: 'sender',
    lasting: 'permanent',
    answers: [['MAIL FROM', '550 SND-VFY: Sender domain does not exist']],
  },
  {
    source: 'sisimai/p5-sisimai, lib/Sisimai/Reason/Rejected.pm',
    concerns: 'sender',
    lasting: 'permanent',
    answers: [
      ['RCPT TO', '550 backscatter protection detected an invalid or expired email address'],
      ['RCPT TO', '550 unroutable sender address'],
      ['RCPT TO', '554 5.7.1 email address is on SenderFilterConfig list'],
      ['report', '550 mailfrom domain is listed in Spamhaus'],
      ['RCPT TO', '550 empty envelope senders not allowed'],
    ],
  },
  {
    source: 'RFC 7505 section 4.2',
    concerns: 'sender',
    lasting: 'permanent',
    answers: [['MAIL FROM', '550 5.7.27 Sender address has null MX']],
  },
  {
    source: 'RFC 5321 section 3.3: only the sender was named',
    concerns: 'sender',
    lasting: 'permanent',
    answers: [
      ['MAIL FROM', '550 5.1.1 User unknown'],
      ['MAIL FROM', '550 no such user'],
    ],
  },
  {
    source: 'pastebin.com, a policyd quota behind Zimbra',
    concerns: 'sender',
    lasting: 'temporary',
    answers: [
      [
        'RCPT TO',
        '450 4.7.1 <news@example.org>: Sender address rejected: Deferring: Too many messages from sender in last 60',
      ],
    ],
  },
  {
    source: 'Exim, src/src/acl.c, and its answers as quoted in public forums',
    concerns: 'sender',
    lasting: 'temporary',
    answers: [
      ['RCPT TO', '451 Could not complete sender verify'],
      ['RCPT TO', '451 Could not complete sender verify callout'],
    ],
  },
  {
    source: 'sisimai/p5-sisimai, lib/Sisimai/Rhost/Google.pm',
    concerns: 'sender',
    lasting: 'temporary',
    answers: [
      [
        'DATA',
        '451 4.7.24 The SPF record of the sending domain has one or more suspicious entries. To protect our users from spam, mail sent from your IP address has been temporarily rate limited.',
      ],
      [
        'DATA',
        '421 4.7.26 This mail has been rate limited because it is unauthenticated. Gmail requires all senders to authenticate with either SPF or DKIM.',
      ],
      ['DATA', "421 4.7.27 Your email has been rate limited because SPF authentication didn't pass for this message."],
      [
        'DATA',
        "421 4.7.32 Your email has been rate limited because the From: header (RFC5322) in this message isn't aligned with either the authenticated SPF or DKIM organizational domain.",
      ],
      [
        'DATA',
        "451 4.7.26 Unauthenticated email from example.org is not accepted due to domain's DMARC policy, but temporary DNS failures prevent authentication.",
      ],
    ],
  },
  {
    source: 'sisimai/p5-sisimai, lib/Sisimai/Rhost/YahooInc.pm',
    concerns: 'sender',
    lasting: 'temporary',
    answers: [
      [
        'MAIL FROM',
        '451 Message temporarily deferred due to unresolvable RFC.5321 from domain. See https://senders.yahooinc.com/error-codes#unresolvable-from-domain',
      ],
    ],
  },
  {
    source: 'sisimai/p5-sisimai, lib/Sisimai/Rhost/Apple.pm',
    concerns: 'sender',
    lasting: 'temporary',
    answers: [['RCPT TO', '450 4.1.8 <kijitora@example.jp>: Sender address rejected: Domain not found']],
  },
  {
    source: 'Postfix, src/smtpd/smtpd_check.c',
    concerns: 'sender',
    lasting: 'temporary',
    answers: [
      [
        'RCPT TO',
        '450 4.1.0 <news@example.org>: Sender address rejected: unverified address: connect to mx.example.org[192.0.2.1]:25: Connection refused',
      ],
      [
        'RCPT TO',
        '450 4.1.0 <news@example.org>: Sender address rejected: undeliverable address: host mx.example.org[192.0.2.1] said: 550 User unknown',
      ],
    ],
  },
  {
    source: 'bentonow.com, Laposte.net SMTP errors',
    concerns: 'sender',
    lasting: 'temporary',
    answers: [['RCPT TO', '450 4.1.8 Emetteur invalide / Invalid Sender LPN007_405']],
  },
]
