import type { AnswerGroup } from './answer-group.ts'

export const relay2Answers: readonly AnswerGroup[] = [
  {
    source: 'sisimai/p5-sisimai, lib/Sisimai/Rhost/YahooInc.pm',
    concerns: 'relay',
    lasting: 'permanent',
    answers: [
      ['RCPT TO', '550 relaying denied for <ada@yahoo.com>'],
      [
        'MAIL FROM',
        '553 5.7.2 [TSS09] All messages from 192.0.2.25 will be permanently deferred; Retrying will NOT succeed. See https://postmaster.yahooinc.com/error-codes',
      ],
    ],
  },
  {
    source: 'sisimai/p5-sisimai, lib/Sisimai/Rhost/FrancePTT.pm',
    concerns: 'relay',
    lasting: 'permanent',
    answers: [
      [
        'RCPT TO',
        '550 mwinf5c04 ME Adresse IP source bloquee pour incident de spam. Client host blocked for spamming issues. OFR006_102',
      ],
      ['RCPT TO', '550 5.5.0 Authentification requise. Authentication Required. LPN105_402'],
    ],
  },
  {
    source: 'sisimai/p5-sisimai, lib/Sisimai/Rhost/Apple.pm',
    concerns: 'relay',
    lasting: 'permanent',
    answers: [['RCPT TO', '550 5.7.0 Blocked - see https://support.proofpoint.com/dnsbl-lookup.cgi?ip=192.0.1.2']],
  },
  {
    source: 'sisimai/p5-sisimai, lib/Sisimai/Rhost/GoDaddy.pm',
    concerns: 'relay',
    lasting: 'permanent',
    answers: [
      [
        'RCPT TO',
        '554 Connection refused. This IP has a poor reputation on Cloudmark Sender Intelligence (CSI). IB103',
      ],
      ['RCPT TO', '554 This IP has been temporarily blocked for attempting to mail too many invalid recipients. IB112'],
    ],
  },
  {
    source: 'sisimai/p5-sisimai, lib/Sisimai/Rhost/Mimecast.pm',
    concerns: 'relay',
    lasting: 'permanent',
    answers: [
      ['sign-in', '535 Incorrect authentication data'],
      ['RCPT TO', '553 This route requires encryption (TLS)'],
      ['RCPT TO', '550 Local CT IP Reputation - (reject)'],
    ],
  },
  {
    source: 'sitepackage.de, Typische Fehlermeldungen bei Unzustellbarkeit',
    concerns: 'relay',
    lasting: 'permanent',
    answers: [['RCPT TO', '554 Refused. Your reverse DNS entry contains your IP address and a country code.']],
  },
  {
    source: '24x7serversecurity.com, cPanel outgoing mail suspension',
    concerns: 'relay',
    lasting: 'permanent',
    answers: [['DATA', '550 Domain example.org has an outgoing mail suspension. Message discarded.']],
  },
  {
    source: 'Amazon SES, troubleshooting and SMTP response codes',
    concerns: 'relay',
    lasting: 'permanent',
    answers: [
      [
        'DATA',
        '554 Message rejected: Email address is not verified. The following identities failed the check in region EU-WEST-1: news@example.org',
      ],
    ],
  },
  {
    source: 'OpenSMTPD/OpenSMTPD, usr.sbin/smtpd/smtp_session.c',
    concerns: 'relay',
    lasting: 'permanent',
    answers: [['MAIL FROM', '530 5.5.1 Invalid command: Must issue an AUTH command first']],
  },
  {
    source: 'mailout.ru, Mail.ru',
    concerns: 'relay',
    lasting: 'permanent',
    answers: [['RCPT TO', '550 message sending for this account is disabled']],
  },
  {
    source: 'ionos.com, error messages caused by undeliverable email',
    concerns: 'relay',
    lasting: 'permanent',
    answers: [
      ['sign-in', '535 Authentication failure: SMTP AUTH failed with the remote server'],
      ['RCPT TO', '550 must be authenticated'],
    ],
  },
  {
    source: 'MailPress for WordPress, class MP_Bounce_II',
    concerns: 'relay',
    lasting: 'permanent',
    answers: [
      ['report', 'Relaying is prohibited'],
      ['report', 'Relaying disallowed'],
      ['report', 'is currently not permitted to relay'],
      ['report', 'Mail only accepted from IPs with valid reverse lookups'],
      ['report', 'Remote sending only allowed with authentication'],
      ['report', 'Mail From IP Banned'],
    ],
  },
  {
    source: 'forums.cpanel.net, email quota',
    concerns: 'relay',
    lasting: 'temporary',
    answers: [
      ['DATA', '550 Domain example.com has exceeded the max emails per hour (3/2 (150%)) allowed. Message discarded.'],
      [
        'report',
        'Domain "example.com" has exceeded the max emails per hour (2/2 (100%)) allowed. Message will be reattempted later',
      ],
    ],
  },
  {
    source: 'my.maxer.com, max defers and failures',
    concerns: 'relay',
    lasting: 'temporary',
    answers: [
      [
        'DATA',
        '550 Domain example.com has exceeded the max defers and failures per hour (10/10 (90%)) allowed. Message discarded.',
      ],
    ],
  },
  {
    source: '24x7serversecurity.com, cPanel outgoing mail suspension',
    concerns: 'relay',
    lasting: 'temporary',
    answers: [['report', '451 Domain example.com has an outgoing mail hold. Message will be reattempted later']],
  },
  {
    source: 'Amazon SES, troubleshooting and SMTP response codes',
    concerns: 'relay',
    lasting: 'temporary',
    answers: [
      ['DATA', '454 Throttling failure: Maximum sending rate exceeded'],
      ['DATA', '454 Throttling failure: Daily message quota exceeded'],
    ],
  },
  {
    source: 'sisimai/p5-sisimai, lib/Sisimai/Rhost/Google.pm',
    concerns: 'relay',
    lasting: 'temporary',
    answers: [
      ['DATA', '550 5.4.5 Daily user sending limit exceeded'],
      [
        'DATA',
        '550 5.4.5 Daily SMTP relay limit exceeded for user. For more information on SMTP relay sending limits please contact your administrator',
      ],
      ['sign-in', '454 4.7.0 Cannot authenticate due to a temporary system problem. Try again later.'],
    ],
  },
  {
    source: 'Microsoft, non-delivery reports in Exchange Online, in sisimai/p5-sisimai, lib/Sisimai/Rhost/Microsoft.pm',
    concerns: 'relay',
    lasting: 'temporary',
    answers: [
      [
        'RCPT TO',
        '451 4.7.650 The mail server [192.0.2.5] has been temporarily rate limited due to IP reputation. For e-mail delivery information, see https://postmaster.live.com (S775)',
      ],
      [
        'RCPT TO',
        '451 4.7.500 Server busy. Please try again later from [192.0.2.2]. (AS761) (in reply to RCPT TO command)',
      ],
      ['DATA', '550 5.2.2 Submission quota exceeded'],
      ['DATA', "550 5.1.90 Your message can't be sent because you've reached your daily limit for message recipients"],
      ['DATA', '452 4.3.1 Insufficient system resources'],
      ['report', '550 5.7.508 Access denied, 192.0.2.1 has exceeded permitted limits within 2001:db8:: range'],
    ],
  },
  {
    source: 'sisimai/go-sisimai, reason/02-includedin_test.go',
    concerns: 'relay',
    lasting: 'temporary',
    answers: [['RCPT TO', '451 4.7.1 <smtp.example.jp[192.0.2.3]>: Client host rejected: Please try again slower']],
  },
  {
    source: 'zone-eu/zone-mta, config/bounces.txt',
    concerns: 'relay',
    lasting: 'temporary',
    answers: [
      [
        'RCPT TO',
        '454 4.7.1 Service unavailable; Client host [1.2.3.4] blocked using dnsbl.sorbs.net; Currently Sending Spam See: http://www.sorbs.net/lookup.shtml?1.2.3.4',
      ],
      ['RCPT TO', '451 Currently Sending Spam See: http://www.sorbs.net/lookup.shtml?1.2.3.4'],
      ['RCPT TO', '550 Too many invalid recipients'],
    ],
  },
  {
    source: 'sisimai/p5-sisimai, lib/Sisimai/Rhost/GoDaddy.pm',
    concerns: 'relay',
    lasting: 'temporary',
    answers: [
      ['RCPT TO', '550 This IP has sent too many messages this hour. IB504'],
      ['RCPT TO', '550 This IP has sent too many to too many recipients this hour. IB607'],
    ],
  },
  {
    source: 'support.onesystems.ch, Fehlermeldungen',
    concerns: 'relay',
    lasting: 'temporary',
    answers: [['RCPT TO', '450 4.7.1 Client host rejected: cannot find your hostname, [192.0.2.1]']],
  },
  {
    source: 'bytecamp.net, Fehlermeldungen bei Zustellproblemen',
    concerns: 'relay',
    lasting: 'temporary',
    answers: [['RCPT TO', '450 4.7.1 Client host rejected: cannot find your reverse hostname']],
  },
]
