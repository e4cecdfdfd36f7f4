import type { AnswerGroup } from './answer-group.ts'

export const senderAnswers: readonly AnswerGroup[] = [
  {
    source: 'Exim, src/src/acl.c, and its answers as quoted in public forums',
    concerns: 'sender',
    lasting: 'permanent',
    answers: [
      ['RCPT TO', '550-Verification failed for <news@example.org> 550-No Such User Here 550 Sender verify failed'],
      ['RCPT TO', '550-Verification failed for <news@example.org> 550-Unrouteable address 550 Sender verify failed'],
      [
        'RCPT TO',
        '550-Verification failed for <news@example.org> 550-Called: 192.0.2.126 550-Sent: RCPT TO:<news@example.org> 550-Response: 550 <news@example.org>: Recipient address rejected: User unknown in local recipient table 550 Sender verify failed',
      ],
      [
        'RCPT TO',
        '550-Verification failed for <news@example.org> 550-The mail server could not deliver mail to news@example.org. The account or domain may not exist, they may be blacklisted, or missing the proper dns entries. 550 Sender verify failed',
      ],
      [
        'RCPT TO',
        '550-Verification failed for <news@example.org> 550-The mail server does not recognize news@example.org as a valid sender. 550 Sender verify failed',
      ],
      ['MAIL FROM', '550 Verification failed for <news@example.org>'],
    ],
  },
  {
    source: 'sisimai/go-sisimai, reason/02-includedin_test.go',
    concerns: 'sender',
    lasting: 'permanent',
    answers: [
      ['RCPT TO', "550 5.1.0 192.0.2.222 is not allowed to send from <example.net> per it's SPF Record"],
      ['DATA', "550 5.7.26 Unauthenticated email from libsisimai.org is not accepted due to domain's DMARC policy"],
      ['RCPT TO', '550 5.1.8 Domain of sender address example.org does not exist'],
      ['report', '550 5.1.7 No such domain neko.example.com'],
      ['MAIL FROM', '550 5.7.1 Access denied (in reply to MAIL FROM command)'],
      ['RCPT TO', '554 INVALID IP FOR SENDING MAIL OF DOMAIN amazonses.com [RCPT_TO]'],
    ],
  },
  {
    source: 'sisimai/p5-sisimai, lib/Sisimai/Rhost/Google.pm',
    concerns: 'sender',
    lasting: 'permanent',
    answers: [
      ['DATA', '550 5.7.24 The SPF record of the sending domain has one or more suspicious entries.'],
      [
        'DATA',
        '550 5.7.26 This message fails to pass SPF checks for an SPF record with a hard fail policy (-all). To best protect our users from spam and phishing, the message has been blocked.',
      ],
      [
        'DATA',
        '550 5.7.26 This message does not have authentication information or fails to pass authentication checks (SPF or DKIM). To best protect our users from spam, the message has been blocked.',
      ],
      [
        'DATA',
        '550 5.7.30 This mail has been blocked because DKIM does not pass. Gmail requires all large senders to authenticate with DKIM.',
      ],
      ['DATA', '550 5.7.1 Unauthenticated email is not accepted'],
      [
        'DATA',
        '550 5.7.1 Messages missing a valid address in the From: header, or having no From: header, are not accepted.',
      ],
      ['MAIL FROM', '553 5.1.7 The sender address news is not a valid RFC 5321 address.'],
    ],
  },
  {
    source: 'sisimai/p5-sisimai, lib/Sisimai/Rhost/YahooInc.pm',
    concerns: 'sender',
    lasting: 'permanent',
    answers: [
      [
        'DATA',
        '550 5.7.9 This mail has been blocked because the sender is unauthenticated. Yahoo requires all senders to authenticate with either SPF or DKIM.',
      ],
    ],
  },
  {
    source: 'zone-eu/zone-mta, config/bounces.txt',
    concerns: 'sender',
    lasting: 'permanent',
    answers: [
      [
        'RCPT TO',
        '554 5.7.1 Service unavailable; Sender address [user@example.com] blocked using dbl.spamhaus.org; https://www.spamhaus.org/query/domain/example.com',
      ],
      ['RCPT TO', '501 5.7.1 <news@example.com>... Sender refused by the DNSBL dnsbl.sorbs.net'],
    ],
  },
  {
    source: 'Microsoft, non-delivery reports in Exchange Online, in sisimai/p5-sisimai, lib/Sisimai/Rhost/Microsoft.pm',
    concerns: 'sender',
    lasting: 'permanent',
    answers: [
      ['DATA', '550 5.7.509 Access denied, sending domain example.org does not pass DMARC verification'],
      ['DATA', '550 5.7.23 The message was rejected because of Sender Policy Framework violation'],
      ['DATA', '550 5.1.8 Access denied, bad outbound sender'],
      ['DATA', '550 5.1.7 Unknown sender address'],
      ['DATA', '550 5.1.0 Sender denied'],
    ],
  },
  {
    source: 'KumoCorp/kumomta, assets/community/bounces.toml',
    concerns: 'sender',
    lasting: 'permanent',
    answers: [
      [
        'DATA',
        "550 5.7.515 Access denied, sending domain example.org doesn't meet the required authentication level. The sender's domain in the 5322.From address doesn't pass",
      ],
      ['DATA', '501 5.0.2 Mail rejected. DMARC check failed.'],
      ['DATA', '550 5.7.1 Message rejected due to senders DMARC policy'],
      ['DATA', '550 5.7.26 DmarcRejection'],
      ['MAIL FROM', '553 Sender Domain Resolve Fail'],
      ['MAIL FROM', '550 sorry, your envelope sender domain must exist'],
      ['MAIL FROM', '553 Domain of sender address news@example.org does not exist'],
      ['MAIL FROM', '550 Sender news@example.org has no A, AAAA, or MX DNS records'],
      ['MAIL FROM', '552 5.2.0 sender rejected AUP'],
      ['DATA', '550 5.0.1 Invalid Sender. Your domain has been blacklisted'],
    ],
  },
  {
    source: 'sisimai/p5-sisimai, lib/Sisimai/Rhost/Apple.pm',
    concerns: 'sender',
    lasting: 'permanent',
    answers: [
      [
        'DATA',
        "554 5.7.1 Your message was rejected due to example.jp's DMARC policy. See https://support.apple.com/en-us/HT204137 for",
      ],
      [
        'DATA',
        '554 5.7.1 [HME1] This message was blocked for failing both SPF and DKIM authentication checks. See https://support.apple.com/en-us/HT204137 for mailing best practices',
      ],
    ],
  },
  {
    source: 'sisimai/p5-sisimai, lib/Sisimai/Rhost/FrancePTT.pm',
    concerns: 'sender',
    lasting: 'permanent',
    answers: [
      ['RCPT TO', '550 5.5.0 SPF: example.org is not allowed to send mail. LPN004_401'],
      ['MAIL FROM', '550 5.0.1 Emetteur invalide. Invalid Sender. OFR_403'],
      ['MAIL FROM', '550 5.5.3 Mail from not owned by user. LPN105_421.'],
    ],
  },
  {
    source: 'sisimai/p5-sisimai, lib/Sisimai/Rhost/Mimecast.pm',
    concerns: 'sender',
    lasting: 'permanent',
    answers: [
      ['DATA', '550 SPF Sender Invalid - envelope rejected'],
      ['DATA', '550 DKIM Sender Invalid - envelope rejected'],
      ['DATA', '550 Rejected by header-based blocked senders - block policy for Header From'],
      ['RCPT TO', '550 Envelope rejected - block policy for envelope from address'],
      ['DATA', '550 Rejected by header-based Anti-Spoofing policy'],
    ],
  },
  {
    source: 'sisimai/p5-sisimai, lib/Sisimai/Rhost/GoDaddy.pm',
    concerns: 'sender',
    lasting: 'permanent',
    answers: [
      ['MAIL FROM', '550 example.org From: Domain is invalid. Provide a valid From: IB506'],
      ['MAIL FROM', '550 jane@coolexample.com Invalid SPF record. Inspect your SPF settings, and try again. IB508'],
      ['DATA', '550 jane@coolexample.com Blank From: addresses are not allowed. Provide a valid From. IB501'],
    ],
  },
  {
    source: 'sisimai/p5-sisimai, lib/Sisimai/Rhost/Tencent.pm',
    concerns: 'sender',
    lasting: 'permanent',
    answers: [
      ['DATA', '550 SPF check failed. http://service.mail.qq.com'],
      ['DATA', '550 DMARC check failed. http://service.mail.qq.com'],
    ],
  },
  {
    source: 'smtp.codes, United Internet (GMX, WEB.DE, IONOS)',
    concerns: 'sender',
    lasting: 'permanent',
    answers: [
      [
        'DATA',
        '550 <news@example.com>: Reject due to SPF policy. The originating IP of the message is not permitted by the domain owner',
      ],
    ],
  },
]
