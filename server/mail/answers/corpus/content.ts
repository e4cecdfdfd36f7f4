import type { AnswerGroup } from './answer-group.ts'

export const contentAnswers: readonly AnswerGroup[] = [
  {
    source: 'sisimai/go-sisimai, reason/02-includedin_test.go',
    concerns: 'content',
    lasting: 'permanent',
    answers: [
      ['DATA', '550 5.6.0 the headers in this message contain improperly-formatted binary content'],
      ['DATA', '552 5.2.3 Message too large'],
      ['report', 'permanent failure 5.3.0 - Other mail system problem #5.3.4 message header size exceeds limit'],
      ['report', '550 #5.2.3 RESOLVER.RST.RecipSizeLimit; message too large for this recipient'],
      ['MAIL FROM', '552 5.2.3 Message size exceeds fixed maximum message size (10485760)'],
      ['DATA', '550 5.7.1 This message is not RFC 5322 compliant. There are multiple Subject headers.'],
      ['DATA', "554 Transaction failed: Duplicate header 'DKIM-Signature'. (in reply to end of DATA command)"],
      ['DATA', '570 5.7.7 Spam Detected'],
      [
        'DATA',
        '554 email rejected due to security policies - MCSpamSignature.sa.2.2 (in reply to end of DATA command)',
      ],
      ['DATA', '550 5.7.9 The message was rejected because it contains prohibited virus or spam content'],
    ],
  },
  {
    source: 'sisimai/p5-sisimai, lib/Sisimai/Rhost/Google.pm',
    concerns: 'content',
    lasting: 'permanent',
    answers: [
      [
        'DATA',
        '550 5.7.1 Our system has detected that this message is likely unsolicited mail. To reduce the amount of spam sent to Gmail, this message has been blocked.',
      ],
      ['DATA', '552 5.7.0 Our system detected an illegal attachment on your message.'],
      ['DATA', '552 5.7.0 This message was blocked because its content presents a potential security issue.'],
      ['DATA', "552 5.3.4 Your message exceeded Google's message size limits."],
      [
        'DATA',
        "552 5.3.4 The size of the Subject header value (1200 bytes) exceeds Google's limit of 1000 bytes per individual header size.",
      ],
      ['DATA', '550 5.7.1 Messages missing a valid Message-ID: header are not accepted.'],
      ['DATA', '554 5.6.0 Mail message is malformed. Not accepted.'],
      ['DATA', '550 5.7.1 Encoded-word syntax is not permitted in message header Subject.'],
    ],
  },
  {
    source: 'Microsoft, non-delivery reports in Exchange Online, in sisimai/p5-sisimai, lib/Sisimai/Rhost/Microsoft.pm',
    concerns: 'content',
    lasting: 'permanent',
    answers: [
      ['DATA', '550 5.6.11 Invalid characters'],
      ['DATA', '550 5.3.4 Message too big for system'],
      ['DATA', '550 5.7.512 Access denied, message must be RFC 5322 section 3.6.2 compliant'],
      ['report', '550 5.2.1 Content Filter agent quarantined this message'],
    ],
  },
  {
    source: 'KumoCorp/kumomta, assets/community/bounces.toml',
    concerns: 'content',
    lasting: 'permanent',
    answers: [
      ['DATA', '550 REJECT spam'],
      ['DATA', '550 Message rejected as spam'],
      ['DATA', '550 spam message rejected. Please visit http://help.mail.ru/notspam-support/id'],
      ['DATA', '550 JunkMail rejected'],
      ['DATA', "554 We can't accept this message because it is spam"],
      ['DATA', '553 Blocked Using Spam Pattern, Your Message May Contain The Spam Contents'],
      ['DATA', '550 A URL in this email (example.org) is listed on https://spamrl.com/. Please resolve and retry'],
      ['DATA', '550 REJECTED - spamtext'],
      ['DATA', '550 Mail content denied. http://service.mail.qq.com'],
      ['DATA', '550 5.7.0 message has been rejected due to spam or virus classification'],
      ['DATA', '554 Message contains Spam Content'],
      ['DATA', '550 5.7.1 message content rejected due to spam'],
      ['DATA', '554 blocked due to spam content'],
      ['DATA', '550 Rejected - Content Policy'],
    ],
  },
  { source: 'postmaster.free.fr', concerns: 'content', lasting: 'permanent', answers: [['DATA', '550 spam detected']] },
  {
    source: 'bytecamp.net, Fehlermeldungen bei Zustellproblemen',
    concerns: 'content',
    lasting: 'permanent',
    answers: [['DATA', '571 5.7.1 message classified as spam (Nachricht als Spam eingestuft)']],
  },
  {
    source: 'sisimai/p5-sisimai, lib/Sisimai/Rhost/GoDaddy.pm',
    concerns: 'content',
    lasting: 'permanent',
    answers: [
      ['DATA', '552 This message has been rejected due to content judged to be spam by the internet community. IB212'],
      ['DATA', '552 Virus infected message rejected. IB705'],
    ],
  },
  {
    source: 'sisimai/p5-sisimai, lib/Sisimai/Rhost/Tencent.pm',
    concerns: 'content',
    lasting: 'permanent',
    answers: [
      ['DATA', '550 Message too large'],
      ['DATA', '550 Spam is embedded in the email'],
    ],
  },
  {
    source: 'sisimai/p5-sisimai, lib/Sisimai/Rhost/Mimecast.pm',
    concerns: 'content',
    lasting: 'permanent',
    answers: [
      ['DATA', '554 Maximum email size exceeded'],
      ['DATA', '550 Message bounced due to Content Examination Policy'],
    ],
  },
  {
    source: 'sisimai/p5-sisimai, lib/Sisimai/Rhost/Cox.pm',
    concerns: 'content',
    lasting: 'permanent',
    answers: [['DATA', '552 attachment extension is forbidden']],
  },
  {
    source: 'sitepackage.de, Typische Fehlermeldungen bei Unzustellbarkeit',
    concerns: 'content',
    lasting: 'permanent',
    answers: [['DATA', '552 Error: message too large']],
  },
  {
    source: 'notqmail/notqmail, qmail-smtpd.c',
    concerns: 'content',
    lasting: 'permanent',
    answers: [['DATA', '552 sorry, that message size exceeds my databytes limit (#5.3.4)']],
  },
  {
    source: 'Yandex, report on non-delivery to another address',
    concerns: 'content',
    lasting: 'permanent',
    answers: [
      ['DATA', '554 5.7.1 Message rejected as spam by Content Filtering'],
      ['DATA', '554 5.7.1 Message rejected under suspicion of SPAM'],
      ['DATA', '554 Sorry, message looks like SPAM to me'],
    ],
  },
  {
    source: 'sisimai/p5-sisimai, lib/Sisimai/Rhost/FrancePTT.pm',
    concerns: 'content',
    lasting: 'permanent',
    answers: [
      ['DATA', '552 Taille limite du message atteinte'],
      ['DATA', '550 5.2.0 Mail rejete. Mail rejected. OFR_506 [506]'],
    ],
  },
  {
    source: 'zone-eu/zone-mta, config/bounces.txt',
    concerns: 'content',
    lasting: 'permanent',
    answers: [['DATA', '554 rejected due to virus']],
  },
  {
    source: 'SparkPost, Momentum message responses',
    concerns: 'content',
    lasting: 'permanent',
    answers: [
      ['DATA', '550 5.6.0 Body line too long (see RFC2822 section 3.5)'],
      ['DATA', '550 5.6.0 Missing required RFC2822 Date field (see RFC2822 section 3.6)'],
    ],
  },
  {
    source: 'portal.iridis.uk, mailRelay response codes',
    concerns: 'content',
    lasting: 'permanent',
    answers: [
      ['DATA', '550 MSG-VMS: This message contains a virus, malware or spam'],
      ['DATA', '550 MSG-RFC: Your message does not conform to RFC2822 standard'],
    ],
  },
  {
    source: 'sisimai/p5-sisimai, lib/Sisimai/Rhost/Google.pm',
    concerns: 'content',
    lasting: 'temporary',
    answers: [
      [
        'DATA',
        '421 4.7.0 This message is suspicious due to the nature of the content or the links within. To best protect our users from spam, the message has been blocked.',
      ],
    ],
  },
  {
    source: 'sisimai/go-sisimai, reason/02-includedin_test.go',
    concerns: 'content',
    lasting: 'temporary',
    answers: [['DATA', '400 4.2.3 Message too big']],
  },
]
