import type { AnswerRule } from '../answer-rule.ts'

/** Said of the check of our sender by a call to its server. Such answers say *no such user*, and mean the sender. */
export const senderCheckRules: readonly AnswerRule[] = [
  {
    name: 'sender-verify',
    phrases: [
      'sender verif(y|ication)',
      'sender callout',
      'sender address verification',
      'verify … sender',
      'callback (setup )?failed while verifying',
      'unverified sender',
      'undeliverable sender',
      'return path … (verif(y|ied)|exist)',
    ],
    concerns: 'sender',
    lasting: 'permanent',
    source: 'Exim, verify = sender; Postfix, reject_unverified_sender',
  },
]

/** Answers about the address, domain or authentication of our sender. */
export const senderRules: readonly AnswerRule[] = [
  {
    name: 'sender-authentication',
    phrases: [
      '(spf|dkim|dmarc|dmarcrejection)',
      'sender policy framework',
      'unauthenticated (e ?mail|mail|message|senders?)',
      '(email|mail|message|sender) (is )?unauthenticated',
      'authentication checks? … fail(ed|ure|s)?',
      'fail(ed|ing|ure|s)? … authentication checks?',
      'anti spoofing',
    ],
    concerns: 'sender',
    lasting: 'permanent',
    source: 'RFC 7372; Gmail 5.7.26; Yahoo; Microsoft 5.7.515; Mimecast',
  },
  {
    name: 'sender-rejected',
    phrases: [
      'sender (e ?mail |mail )?(address |domain |id |xaddress )?(is |was |has been |are )?(rejected|refused|denied|unknown|invalid|blocked|blacklisted|blocklisted|banned|disallowed|unacceptable|not)',
      'sender (address|domain) … (not|rejected|refused|denied|invalid|blocked|unresolvable|syntax)',
      '(invalid|unknown|bad|illegal|blocked|rejected|forged|spoofed|unroutable|unrouteable|refused|unacceptable|malformed) (envelope |outbound |from )?(senders?|return path|mail from|from address)',
      'sender xaddress has no',
      '(domain of|sender) (the )?sender address',
      'domain of (the )?sender',
      'sender domain',
      '(mail ?from)( address| domain| xaddress| xhost)? (was |is |has been )?(rejected|refused|denied|invalid|not|blocked|must|does|listed)',
      'from (address|header|domain) … (rejected|refused|denied|invalid|not|blocked|must|missing)',
      '(missing|blank|no|multiple) … from (addresses|header)',
      'unresolvable … from domain',
      'envelope (from|senders?) … (rejected|refused|denied|invalid|not|blocked|must)',
      'envelope rejected block policy',
      '(badmailfrom|senderfilterconfig)',
      'invalid ip for sending mail of domain',
      'not allowed to send (mail|from)',
      '(permissions to send as|sendasdenied|outboundspamexception)',
      'backscatter',
      'emetteur invalide',
      'absender … (abgelehnt|abgewiesen|ungultig|unbekannt|existiert|gesperrt|nicht)',
      'expediteur … (refuse|rejete|inconnu|invalide|interdit|bloque)',
    ],
    concerns: 'sender',
    lasting: 'permanent',
    source: 'Postfix, reject_unknown_sender_domain; qmail; Exim; Gmail 5.1.7; Orange OFR_403; Mimecast',
  },
]

export const senderCodeRules: readonly AnswerRule[] = [
  {
    name: 'sender-authentication-code',
    enhanced: ['x.7.20', 'x.7.21', 'x.7.22', 'x.7.23', 'x.7.24', 'x.7.26', 'x.7.27', 'x.7.29', 'x.7.515'],
    concerns: 'sender',
    lasting: 'permanent',
    source: 'RFC 7372 section 3; RFC 7505 section 4.2; RFC 8617; Microsoft',
  },
  {
    name: 'sender-code',
    enhanced: ['x.1.7', 'x.1.8', 'x.1.9'],
    concerns: 'sender',
    lasting: 'permanent',
    source: 'RFC 3463 section 3.2; RFC 3886',
  },
]
