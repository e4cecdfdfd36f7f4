import type { AnswerRule } from '../answer-rule.ts'

/** Answers about the address, domain or authentication of our sender. Some of them say *no such user*, and mean the sender. */
export const senderRules: readonly AnswerRule[] = [
  {
    name: 'sender-verify',
    phrases: [
      'sender verif(y|ication)',
      'sender callout',
      'sender address verification',
      'verify … sender',
      'verifying … sender',
      'callback (setup )?failed while verifying',
      'unverified (sender|address)',
      'undeliverable sender',
      'return path … (verif(y|ied)|exist)',
    ],
    concerns: 'sender',
    lasting: 'permanent',
    source: 'Exim, verify = sender; Postfix, reject_unverified_sender',
  },
  {
    name: 'sender-authentication',
    phrases: [
      '(spf|dkim|dmarc)',
      'sender policy framework',
      'unauthenticated (e ?mail|mail|message)',
      '(email|mail|message|sender) (is )?(unauthenticated|not authenticated)',
      'authentication (checks?|results?) … fail(ed|ure|s)?',
      'fail(ed|ure|s)? … authentication checks?',
    ],
    concerns: 'sender',
    lasting: 'permanent',
    source: 'RFC 7372; Gmail 5.7.26; Yahoo; Microsoft 5.7.515',
  },
  {
    name: 'sender-authentication-code',
    enhanced: ['x.7.20', 'x.7.21', 'x.7.22', 'x.7.23', 'x.7.24', 'x.7.26', 'x.7.27', 'x.7.29', 'x.7.515'],
    concerns: 'sender',
    lasting: 'permanent',
    source: 'RFC 7372 section 3; RFC 7505 section 4.2; RFC 8617; Microsoft',
  },
  {
    name: 'sender-rejected',
    phrases: [
      'sender (e ?mail |mail )?(address |domain |id )?(is |was |has been |are )?(rejected|refused|denied|unknown|invalid|blocked|blacklisted|blocklisted|banned|disallowed|unacceptable|not )',
      'sender (address|domain) … (not|rejected|refused|denied|invalid|blocked|unresolvable)',
      '(invalid|unknown|bad|illegal|blocked|rejected|forged|spoofed|unroutable|unrouteable|refused|unacceptable|malformed) (envelope )?(sender|return path|mail from|from address)',
      'domain of (the )?sender',
      'senders? domain',
      'mail from … (rejected|refused|denied|invalid|not|blocked|must|does)',
      'from (address|header|domain) … (rejected|refused|denied|invalid|not|blocked|must|missing)',
      'envelope (from|sender) … (rejected|refused|denied|invalid|not|blocked|must)',
      'backscatter',
      'absender … (abgelehnt|abgewiesen|ungultig|unbekannt|existiert|gesperrt|nicht)',
      'expediteur … (refuse|rejete|inconnu|invalide|interdit|bloque)',
    ],
    concerns: 'sender',
    lasting: 'permanent',
    source: 'Postfix, reject_unknown_sender_domain; sendmail; Exim; Gmail',
  },
  {
    name: 'sender-code',
    enhanced: ['x.1.7', 'x.1.8', 'x.1.9'],
    concerns: 'sender',
    lasting: 'permanent',
    source: 'RFC 3463 section 3.2; RFC 3886',
  },
]
