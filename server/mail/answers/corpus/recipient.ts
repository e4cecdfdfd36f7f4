import type { AnswerGroup } from './answer-group.ts'

export const recipientAnswers: readonly AnswerGroup[] = [
  {
    source: 'zone-eu/zone-mta, config/bounces.txt',
    concerns: 'recipient',
    lasting: 'permanent',
    answers: [
      [
        'RCPT TO',
        '550 5.4.1 Recipient address rejected: Access denied. [DB5EUR01FT031.eop-EUR01.prod.protection.outlook.com]',
      ],
    ],
  },
  {
    source: 'Microsoft, non-delivery reports in Exchange Online, in sisimai/p5-sisimai, lib/Sisimai/Rhost/Microsoft.pm',
    concerns: 'recipient',
    lasting: 'permanent',
    answers: [
      ['RCPT TO', '550 5.7.504 Recipient address rejected: Access denied'],
      ['RCPT TO', '550 5.7.505 Access denied, banned recipient'],
      ['RCPT TO', '550 5.1.4 Destination mailbox address ambiguous'],
      ['report', '550 5.2.14 Misconfigured forwarding address'],
      ['report', '550 5.7.133 Sender not authenticated for group'],
      ['report', '550 5.7.134 Sender was not authenticated for mailbox'],
      ['report', '550 5.2.1 Mailbox cannot be accessed'],
    ],
  },
  {
    source: 'sisimai/go-sisimai, reason/02-includedin_test.go',
    concerns: 'recipient',
    lasting: 'permanent',
    answers: [
      ['report', '550 #5.7.1 RESOLVER.RST.AuthRequired; authentication required'],
      ['RCPT TO', '550 5.1.2 User reject'],
      ['RCPT TO', '550 You have been blocked by the recipient'],
      ['RCPT TO', '550 5.0.0 Recipient suspend the service'],
    ],
  },
  {
    source: 'KumoCorp/kumomta, assets/community/bounces.toml',
    concerns: 'recipient',
    lasting: 'permanent',
    answers: [
      ['RCPT TO', '550 Mailbox unavailable or access denied'],
      ['RCPT TO', '550 That recipient is not allowed'],
      ['RCPT TO', '505 this account is suspended'],
      ['RCPT TO', '553 <ada@citmo.net> mailbox name not allowed'],
      ['RCPT TO', '550 recipient <ada@example.com> denied'],
      ['RCPT TO', '550 <ada@example.com>: Recipient address rejected'],
      [
        'RCPT TO',
        '550 The mail server could not deliver mail to ada@example.com. The account or domain may not exist, they may be blacklisted, or missing the proper dns entries.',
      ],
    ],
  },
  {
    source: 'coviserver.de, E-Mail geblockt',
    concerns: 'recipient',
    lasting: 'permanent',
    answers: [['RCPT TO', '550 #5.1.0 Address rejected.']],
  },
  {
    source: 'sisimai/p5-sisimai, lib/Sisimai/Rhost/FrancePTT.pm',
    concerns: 'recipient',
    lasting: 'permanent',
    answers: [
      ['RCPT TO', '550 Boite du destinataire archivee. Archived recipient. OFR_420'],
      ['RCPT TO', '550 5.5.0 Le compte du destinataire est bloque. The recipient account isblocked. LPN007_426'],
    ],
  },
  {
    source: 'sisimai/p5-sisimai, lib/Sisimai/Rhost/Cox.pm',
    concerns: 'recipient',
    lasting: 'permanent',
    answers: [['RCPT TO', '550 5.1.0 ada@cox.net recipient rejected']],
  },
  {
    source: 'sisimai/p5-sisimai, lib/Sisimai/Rhost/Facebook.pm',
    concerns: 'recipient',
    lasting: 'permanent',
    answers: [['RCPT TO', "550 RCP-P2 The attempted recipient's preferences prevent messages from being delivered."]],
  },
  {
    source: 'sisimai/p5-sisimai, lib/Sisimai/Reason/Suspend.pm',
    concerns: 'recipient',
    lasting: 'permanent',
    answers: [['RCPT TO', '550 User suspended']],
  },
  {
    source: 'wiki.pscs.co.uk, Mail server',
    concerns: 'recipient',
    lasting: 'permanent',
    answers: [['RCPT TO', '550 5.7.1 Recipient Prohibited (3)']],
  },
  {
    source: 'sisimai/p5-sisimai, lib/Sisimai/Rhost/Tencent.pm',
    concerns: 'recipient',
    lasting: 'permanent',
    answers: [['RCPT TO', '550 Mail is rejected by recipients']],
  },
  {
    source: 'RFC 5321 section 4.2.2',
    concerns: 'recipient',
    lasting: 'permanent',
    answers: [
      ['RCPT TO', '551 User not local; please try <ada@example.net>'],
      ['DATA', '550 Requested action not taken: mailbox unavailable'],
      ['RCPT TO', '553 Requested action not taken: mailbox name not allowed'],
    ],
  },
  {
    source: 'Exim/exim, src/src/configure.default',
    concerns: 'recipient',
    lasting: 'permanent',
    answers: [['RCPT TO', '550 Restricted characters in address']],
  },
  {
    source: 'sisimai/p5-sisimai, lib/Sisimai/Reason/Suspend.pm',
    concerns: 'recipient',
    lasting: 'temporary',
    answers: [['RCPT TO', '550 mailbox currently suspended']],
  },
  {
    source: 'RFC 5321 section 4.2.2',
    concerns: 'recipient',
    lasting: 'temporary',
    answers: [
      ['RCPT TO', '450 Requested mail action not taken: mailbox unavailable'],
      ['RCPT TO', '552 Requested mail action aborted: exceeded storage allocation'],
    ],
  },
  {
    source: 'sisimai/go-sisimai, reason/02-includedin_test.go',
    concerns: 'recipient',
    lasting: 'temporary',
    answers: [
      ['RCPT TO', '450 4.2.2 Mailbox full'],
      ['report', '552 5.2.2 <ada@icloud.com>: user is over quota (in reply to RCPT TO)'],
      ['report', '550 5.2.2 <kijitora@example.co.jp>... Mailbox Full'],
      [
        'report',
        'save to /mail/spool/q002.kijitora.gol.com/gol.com/22r/cat/n2.nyaan mailbox is full: retry timeout exceeded',
      ],
      ['report', '550 5.2.1 Host Unknown'],
      ['report', '554 The mail could not be delivered to the recipient because the domain is not reachable.'],
      ['report', 'neko.example.com[192.0.2.2]:25: No route to host'],
      ['RCPT TO', '550 The domain meangel.net is currently suspended. Try later.'],
      [
        'RCPT TO',
        '550 5.7.1 <kijitora@example.com>: Recipient address rejected: User kijitora@example.com temporary locked. Please try again later!',
      ],
    ],
  },
  {
    source: 'sisimai/p5-sisimai, lib/Sisimai/Rhost/Google.pm',
    concerns: 'recipient',
    lasting: 'temporary',
    answers: [
      [
        'RCPT TO',
        "452 4.2.2 The recipient's inbox is out of storage space. Please direct the recipient to https://support.google.com/mail/?p=OverQuotaTemp",
      ],
      [
        'RCPT TO',
        "552 5.2.2 The recipient's inbox is out of storage space and inactive. Please direct the recipient to https://support.google.com/mail/?p=OverQuotaPerm",
      ],
      [
        'RCPT TO',
        '452 4.2.2 The email account that you tried to reach is over quota. Please direct the recipient to Clear Google Drive space & increase storage.',
      ],
      [
        'RCPT TO',
        '450 4.2.1 The user you are trying to contact is receiving mail too quickly. Please resend your message at a later time.',
      ],
      [
        'RCPT TO',
        '450 4.2.1 The user you are trying to contact is receiving mail at a rate that prevents additional messages from being delivered.',
      ],
      [
        'RCPT TO',
        '550 5.2.1 The user you are trying to contact is receiving mail at a rate that prevents additional messages from being delivered. https://support.google.com/mail/?p=ReceivingRatePerm',
      ],
    ],
  },
]
