import type { AnswerGroup } from './answer-group.ts'

export const recipient2Answers: readonly AnswerGroup[] = [
  {
    source: 'Microsoft, non-delivery reports in Exchange Online, in sisimai/p5-sisimai, lib/Sisimai/Rhost/Microsoft.pm',
    concerns: 'recipient',
    lasting: 'temporary',
    answers: [
      ['DATA', '432 4.3.2 STOREDRV.Deliver; recipient thread limit exceeded'],
      ['report', "550 5.2.121 Recipient's per hour message receive limit from specific sender exceeded."],
      ['report', "550 5.2.122 Recipient's per hour message receive limit exceeded"],
      ['report', '550 5.2.2 mailbox full'],
    ],
  },
  {
    source: 'sisimai/p5-sisimai, lib/Sisimai/Rhost/YahooInc.pm',
    concerns: 'recipient',
    lasting: 'temporary',
    answers: [['RCPT TO', '450 User is receiving mail too quickly']],
  },
  {
    source: 'sitepackage.de, Typische Fehlermeldungen bei Unzustellbarkeit',
    concerns: 'recipient',
    lasting: 'temporary',
    answers: [
      ['RCPT TO', '552 5.2.2 Over STORAGE quota'],
      ['RCPT TO', '550 Benutzer hat das Speichervolumen ueberschritten. / User has exhausted allowed storage space.'],
      ['RCPT TO', '550 Benutzer hat zuviele Mails auf dem Server. / User has too many messages on the server.'],
      ['report', 'mailbox full - quota exceeded'],
      ['report', '500 5.0.0 Depot returns error: <552 5.2.2 Over quota>'],
    ],
  },
  {
    source: 'sisimai/p5-sisimai, lib/Sisimai/Rhost/FrancePTT.pm',
    concerns: 'recipient',
    lasting: 'temporary',
    answers: [['RCPT TO', '552 5.1.1 Boite du destinataire pleine. Recipient overquota.']],
  },
  {
    source: 'KumoCorp/kumomta, assets/community/bounces.toml',
    concerns: 'recipient',
    lasting: 'temporary',
    answers: [
      ['RCPT TO', '552 Mailbox limit exeeded for this email address'],
      ['DATA', '552 Requested mail action aborted: exceeded storage allocation Quota exceeded'],
      ['RCPT TO', "552 5.2.2 This user's mailbox quota exceeded"],
      ['RCPT TO', '550 Mailbox is full / Blocks limit exceeded / Inode limit exceeded'],
      ['DATA', '554 5.2.2 Quota exceeded (mailbox for user is full)'],
      ['RCPT TO', '552 5.7.0 extended quota violation'],
      ['RCPT TO', '550 ada@example.com account is overquota'],
    ],
  },
  {
    source: 'sisimai/p5-sisimai, lib/Sisimai/Reason/MailboxFull.pm',
    concerns: 'recipient',
    lasting: 'temporary',
    answers: [
      ['report', 'Account disabled temporarly for exceeding receiving limits'],
      ['report', 'account is exceeding their quota'],
      ['report', 'Delivery failed: Over quota'],
      ['report', 'disc quota exceeded'],
      ['report', 'The recipient does not have enough space'],
      ['report', 'mail file size exceeds the maximum size allowed for mail delivery'],
      ['report', 'maildir delivery failed: Userdisk quota exceeded'],
      ['report', 'mailfolder is full'],
      ['report', 'Not enough storage space in the mailbox'],
      ['report', 'recipient reached disk quota'],
      ['report', 'recipient rejected: mailbox would exceed maximum allowed storage'],
      ['report', "The user's space has been used up"],
      ['report', 'The user you are trying to reach is over quota'],
      ['RCPT TO', '550 user over quota. (#5.1.1)'],
    ],
  },
  {
    source: 'bytecamp.net, Fehlermeldungen bei Zustellproblemen',
    concerns: 'recipient',
    lasting: 'temporary',
    answers: [
      ['RCPT TO', '422 4.2.2 Quota limit exceeded (Speicherplatz des Kontos ueberschritten)'],
      ['RCPT TO', '450 4.2.0 <ada@example.com>: Recipient address rejected: Greylisted'],
    ],
  },
  {
    source: 'milter-greylist, milter-greylist.c',
    concerns: 'recipient',
    lasting: 'temporary',
    answers: [['RCPT TO', '451 4.7.1 Greylisting in action, please come back in 00:05:00']],
  },
  {
    source: 'zone-eu/zone-mta, config/bounces.txt',
    concerns: 'recipient',
    lasting: 'temporary',
    answers: [
      [
        'RCPT TO',
        '421 4.7.1 Service unavailable; Client host [1.2.3.4] blocked using grey.rbl - Rechazo temporal, intentelo mas tarde por favor...Greylisting in action, please try again later',
      ],
    ],
  },
  {
    source: 'Postfix, src/smtpd/smtpd_check.c',
    concerns: 'recipient',
    lasting: 'temporary',
    answers: [
      [
        'RCPT TO',
        '450 4.1.1 <ada@example.com>: Recipient address rejected: unverified address: connect to mx.example.com[192.0.2.1]:25: Connection timed out',
      ],
      [
        'RCPT TO',
        '450 4.1.1 <ada@example.com>: Recipient address rejected: undeliverable address: host mx.example.com[192.0.2.1] said: 550 5.1.1 User unknown',
      ],
      ['RCPT TO', '450 4.1.1 <ada@example.com>: Recipient address rejected: address verification problem'],
      [
        'RCPT TO',
        '450 4.4.4 <ada@example.com>: Recipient address rejected: Unable to look up mail exchanger information',
      ],
    ],
  },
  {
    source: 'ionos.com, error messages caused by undeliverable email',
    concerns: 'recipient',
    lasting: 'temporary',
    answers: [['RCPT TO', '550 Quota Exceeded']],
  },
  {
    source: 'Yandex, report on non-delivery to another address',
    concerns: 'recipient',
    lasting: 'temporary',
    answers: [
      ['report', 'Host or domain name not found'],
      ['report', 'Account is full'],
      ['report', 'Error writing message: Disk quota exceeded'],
    ],
  },
  {
    source: 'sisimai/p5-sisimai, lib/Sisimai/Rhost/Mimecast.pm',
    concerns: 'recipient',
    lasting: 'temporary',
    answers: [['RCPT TO', '451 Recipient temporarily unavailable']],
  },
  {
    source: 'sisimai/p5-sisimai, lib/Sisimai/Rhost/GoDaddy.pm',
    concerns: 'recipient',
    lasting: 'temporary',
    answers: [['report', 'Account storage limit']],
  },
  {
    source: 'coviserver.de, E-Mail geblockt',
    concerns: 'recipient',
    lasting: 'temporary',
    answers: [
      [
        'RCPT TO',
        '450 4.7.1 <ada@domain.de>: Recipient address rejected: Service temporarily unavailable, please try later (in reply to RCPT TO command)',
      ],
    ],
  },
  {
    source: 'sisimai/p5-sisimai, lib/Sisimai/Rhost/Facebook.pm',
    concerns: 'recipient',
    lasting: 'temporary',
    answers: [
      [
        'RCPT TO',
        '450 RCP-T4 The attempted recipient address is currently deactivated. The user may or may not reactivate it.',
      ],
    ],
  },
]
