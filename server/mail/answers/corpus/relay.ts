import type { AnswerGroup } from './answer-group.ts'

export const relayAnswers: readonly AnswerGroup[] = [
  {
    source: 'sisimai/go-sisimai, reason/02-includedin_test.go',
    concerns: 'relay',
    lasting: 'permanent',
    answers: [
      ['RCPT TO', '550 5.0.0 Relaying Denied'],
      ['RCPT TO', '550 relay not permitted'],
      ['RCPT TO', '550 5.7.1 Unable to relay for neko@example.com'],
      [
        'RCPT TO',
        '550 Connections from mx.example.jp (192.0.2.2) are being rejected due to a poor email reputation score.',
      ],
      ['RCPT TO', '550 Access from ip address 192.0.2.1 blocked.'],
      ['RCPT TO', '551 Server access forbidden by your IP 192.0.2.2 websites spamcop.net, mailspike.net for removal'],
      [
        'RCPT TO',
        '550 blocked using dnsbl.sorbs.net Please see http://support.mailhostbox.com/email-administrators-guide-error-codes/',
      ],
      ['RCPT TO', '538 5.7.10 STARTTLS is required to send mail'],
      ['RCPT TO', '550 5.7.25 [192.0.2.25] The IP address sending this message does not have a PTR record setup'],
      ['RCPT TO', '571 No PTR Record found. Reverse DNS required:'],
      ['sign-in', '570 5.7.0 Authentication failure'],
    ],
  },
  {
    source: 'sisimai/p5-sisimai, lib/Sisimai/Reason/NoRelaying.pm',
    concerns: 'relay',
    lasting: 'permanent',
    answers: [
      [
        'RCPT TO',
        '503 This mail server requires authentication when attempting to send to a non-local e-mail address. Please check your mail client settings or contact your administrator',
      ],
      ['RCPT TO', '550 not allowed to relay through this machine'],
      ['RCPT TO', '550 we are not an open relay, so get lost'],
      ['RCPT TO', '550 This system is not configured to relay mail'],
      ['RCPT TO', '550 Insecure Mail Relay'],
      ['RCPT TO', '554 5.7.1 <kijitora@example.org>: Relay access denied'],
    ],
  },
  {
    source: 'viws.ru, mail relaying',
    concerns: 'relay',
    lasting: 'permanent',
    answers: [
      ['RCPT TO', '550 Relay prohibited'],
      ['RCPT TO', '553 Sorry, this domain is not in my list of allowed hosts (#5.7.1)'],
    ],
  },
  {
    source: 'notqmail/notqmail, qmail-smtpd.c',
    concerns: 'relay',
    lasting: 'permanent',
    answers: [['RCPT TO', "553 sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)"]],
  },
  {
    source: 'KumoCorp/kumomta, assets/community/bounces.toml',
    concerns: 'relay',
    lasting: 'permanent',
    answers: [
      ['RCPT TO', "550 ada@example.com isn't allowed to relay"],
      ['RCPT TO', '550 I cannot deliver mail for <ada@example.com>'],
      ['RCPT TO', '530 5.7.0 Authentication required'],
      ['RCPT TO', '550 Please turn on SMTP Authentication in your mail client'],
      ['RCPT TO', '553 5.0.3 DNSBL:RBL 521< 1.2.3.4 >_is_blocked'],
      [
        'RCPT TO',
        '554 Your access to this mail system has been rejected due to poor reputation of a domain used in message transfer',
      ],
      ['RCPT TO', '550 The sending IP (1.2.3.4) is listed on https://spamrl.com/. Please resolve this and retry.'],
      ['RCPT TO', '550 Blocked by ivmSIP'],
      ['RCPT TO', '550 Email blocked by cbl.abuseat.org'],
      ['RCPT TO', '550 Recipient not on bypass list, your IP has been found on a block list'],
      ['RCPT TO', '554 Blocklisting in effect'],
    ],
  },
  {
    source: 'Microsoft, non-delivery reports in Exchange Online, in sisimai/p5-sisimai, lib/Sisimai/Rhost/Microsoft.pm',
    concerns: 'relay',
    lasting: 'permanent',
    answers: [
      ['RCPT TO', '550 5.7.64 TenantAttribution; Relay Access Denied'],
      ['RCPT TO', '550 5.4.1 Relay access denied'],
      [
        'MAIL FROM',
        '530 5.7.57 SMTP; Client was not authenticated to send anonymous mail during MAIL FROM [AM6PR0732BE0065.eurprd07.prod.outlook.com]',
      ],
      [
        'RCPT TO',
        '550 5.7.511 Access denied, banned sender[1.2.3.4]. To request removal from this list please forward this message to delist@messaging.microsoft.com.',
      ],
      [
        'RCPT TO',
        '550 5.7.606 Access denied, banned sending IP [1.2.3.4]. To request removal from this list please visit https://sender.office.com/ and follow the directions.',
      ],
      [
        'RCPT TO',
        '550 5.7.513 Service unavailable, Client host [1.2.3.4] blocked by example.com using Customer Block list (AS16012607)',
      ],
      ['RCPT TO', '550 5.7.506 Access denied, bad HELO'],
      [
        'RCPT TO',
        '550 5.7.25 Access denied, the sending IPv6 address [2a01:111:f200:2004::240] must have a reverse DNS record',
      ],
      [
        'RCPT TO',
        "550 5.7.1 Unfortunately, messages from [10.0.2.5] weren't sent. Please contact your Internet service provider since part of their network is on our block list (S3150).",
      ],
      ['DATA', '550 5.7.750 Service unavailable. Client blocked from sending from unregistered domains'],
      ['DATA', '550 5.7.705 Access denied, tenant has exceeded threshold'],
      ['DATA', '550 5.7.708 Access denied, traffic not accepted from this IP'],
      ['DATA', '550 5.7.501 Access denied, spam abuse detected'],
      ['DATA', '550 5.7.3 Cannot achieve Exchange Server authentication'],
    ],
  },
  {
    source: 'zone-eu/zone-mta, config/bounces.txt',
    concerns: 'relay',
    lasting: 'permanent',
    answers: [
      [
        'greeting',
        '554-gmx.net (mxgmx104) Nemesis ESMTP Service not available 554-No SMTP service 554-IP address is black listed',
      ],
      ['RCPT TO', '550 11.22.33.44 blacklisted see http://www.spamhaus.org/query/bl?ip=11.22.33.44'],
      ['RCPT TO', '550 11.22.33.44 listed at spamhaus, see http://www.spamhaus.org'],
      [
        'RCPT TO',
        '550 5.2.1 Mailbox unavailable. Your IP address 11.22.33.44 is blacklisted using SPAMHAUS-XBL. Details: https://www.spamhaus.org/query/ip/11.22.33.44.',
      ],
      ['RCPT TO', '550 5.7.0 Your server IP address is in the SpamHaus SBL-XBL database, bye'],
      ['RCPT TO', '550 5.7.1 11.22.33.44 has been blocked by zen.spamhaus.org'],
      [
        'RCPT TO',
        '554 5.7.1 Service unavailable; Client host [1.2.3.4] blocked using ee.countries.nerd.dk; Your IP is in ee, rejected based on geographical location',
      ],
      ['RCPT TO', '550 5.7.1 <ada@example.com>... Rejected: 11.22.33.44 listed at zen.spamhaus.org.'],
      [
        'RCPT TO',
        '550 5.7.1 Client address [11.22.33.44] blocked. You are in the SPAMMER List - Listed on The Spamhaus Project. See http://www.spamhaus.org/query/bl?ip=11.22.33.44',
      ],
      [
        'RCPT TO',
        '550 5.7.1 Mail from 11.22.33.44 rejected using zen.spamhaus.org. Please see http://www.spamhaus.org/query/bl?ip=11.22.33.44',
      ],
      ['RCPT TO', '550 5.7.1 Mail from IP 11.22.33.44 was rejected due to listing in Spamhaus XBL.'],
      ['RCPT TO', '521 5.7.1 Service unavailable; client [1.2.3.4] blocked using dnsbl.sorbs.net'],
      ['RCPT TO', '550 5.7.1 The IP address was rejected by the Realtime Block List provider zen.spamhaus.org.'],
      [
        'RCPT TO',
        "550 5.7.1 This system is configured to reject mail from mta.example.com. Connecting host [11.22.33.44] is listed by the lookup site 'zen.spamhaus.org.'.",
      ],
      ['RCPT TO', '550 5.7.1 Your IP address is listed by https://spamhaus.org/zen, correct this'],
      ['RCPT TO', '550 Email blocked by SPAMHAUS'],
      ['RCPT TO', '550 Listed in zen.spamhaus.org. https://www.spamhaus.org/query/ip/11.22.33.44'],
      ['RCPT TO', '550-IP 11.22.33.44 is blacklisted (xbl.spamhaus.org). Help at/Hilfe unter www.mfaq.info'],
      ['RCPT TO', '550-Rejected message because 11.22.33.44 is in a black list at sbl-xbl.spamhaus.org'],
      [
        'RCPT TO',
        "553 5.7.1 [BL21] Connections will not be accepted from 11.22.33.44, because the ip is in Spamhaus's list; see https://help.yahoo.com/kb/postmaster/SLN5070.html",
      ],
      [
        'RCPT TO',
        '554 5.7.1 <ada@example.com>: Recipient address rejected: https://www.spamhaus.org/query/ip/11.22.33.44',
      ],
      [
        'RCPT TO',
        '554 5.7.1 mta.example.com[11.22.33.44] blocked using zen.spamhaus.org. Please see https://www.spamhaus.org/query/ip/11.22.33.44',
      ],
      [
        'RCPT TO',
        '554 Denied [SHXBL] - Denied by Spamhaus XBL - See http://www.spamhaus.org/query/bl?ip=11.22.33.44 (Mode: normal)',
      ],
      ['RCPT TO', '554 Refused. Your IP address is listed in the RBL at xbl.spamhaus.org'],
      ['RCPT TO', '554 bosimpinc12 bizsmtp 11.22.33.44 is on the Spamhaus XBL blacklist.'],
      [
        'RCPT TO',
        '554 IP=11.22.33.44 - A problem occurred. (Ask your postmaster for help or to contact tosa@rx.t-online.de to clarify.) (BL)',
      ],
      ['RCPT TO', '550 Rejected due to DNSBL server response (dnsbl.cobion.com - 1.2.3.4)'],
      [
        'RCPT TO',
        '550 5.7.1 YOUR server 1.2.3.4 is in the blacklist dnsbl.sorbs.net, your message was blocked by Sorbs!',
      ],
      [
        'RCPT TO',
        '554 Connection from 1.2.3.4 rejected for policy reasons. Host found in DNS blacklist at dnsbl.sorbs.net',
      ],
      [
        'RCPT TO',
        '550-"JunkMail rejected - [hostname] [1.2.3.4]:39153 is in an RBL on csi.cloudmark.com/reset-request/?ip=1.2.3.4 , see Poor Reputation Sender"',
      ],
      [
        'RCPT TO',
        '554 5.5.4 Your IP 1.2.3.4 address has a bad reputation. To unblock visit http://cloud-security.net/unblock',
      ],
      [
        'greeting',
        "554-mx.example.com Your access to this mail system has been rejected due to the sending MTA's poor reputation. If you believe that this failure is in error, please contact the intended recipient",
      ],
      [
        'RCPT TO',
        '553 5.7.1 <hostname[1.2.3.4]>: Client host rejected: Relaying denied - Your IP identified as spammer. Please contact 123',
      ],
      [
        'RCPT TO',
        '550 csi.mimecast.org Poor Reputation Sender. - https://community.mimecast.com/docs/DOC-1369#550 [vH7Ns8biNg-p6EfZ0QaVMQ.us149]',
      ],
      ['RCPT TO', '550 Black listed at hostkarma http://ipadmin.junkemailfilter.com/remove.php?ip=1.2.3.4'],
      [
        'RCPT TO',
        '554 resimta-po-11v.sys.comcast.net 1.2.3.4 found on one or more DNSBLs, see http://postmaster.comcast.net/smtp-error-codes.php#BL000010',
      ],
      ['RCPT TO', '550 #5.7.1 Your access to submit messages to this e-mail system has been rejected.'],
      ['RCPT TO', '554 5.7.1 You are not allowed to connect'],
    ],
  },
  {
    source: 'sisimai/p5-sisimai, lib/Sisimai/Rhost/Google.pm',
    concerns: 'relay',
    lasting: 'permanent',
    answers: [
      [
        'RCPT TO',
        '550 5.7.1 Our system has detected that this message is likely suspicious due to the very low reputation of the sending IP address. To best protect our users from spam, the message has been blocked.',
      ],
      [
        'RCPT TO',
        '550 5.7.0 Mail relay denied 192.0.2.1. Invalid credentials for relay for one of the domains in: example.org',
      ],
      [
        'DATA',
        "550 5.7.1 The IP you're using to send mail is not authorized to send email directly to our servers. Use the SMTP relay at your service provider instead.",
      ],
      [
        'RCPT TO',
        '550 5.7.28 There is an unusual rate of unsolicited mail originating from your IP address. To protect our users from spam, mail sent from your IP address has been blocked.',
      ],
      ['greeting', '501 5.5.4 HELO/EHLO argument is invalid. https://support.google.com/mail/?p=helo'],
      ['MAIL FROM', '530 5.7.0 Must issue a STARTTLS command first.'],
      ['sign-in', '535 5.7.8 Username and Password not accepted.'],
      ['sign-in', '534 5.7.9 Application-specific password required.'],
    ],
  },
]
