import { AFTER_RECIPIENT, type AnswerRule } from '../answer-rule.ts'

/** Providers that no longer try an address. They also say *spam*. */
export const suppressedRules: readonly AnswerRule[] = [
  {
    name: 'suppressed',
    stages: AFTER_RECIPIENT,
    phrases: ['previously bounced', 'history of bouncing', 'marked as inactive', 'inactive recipients'],
    concerns: 'recipient',
    lasting: 'permanent',
    gone: true,
    source: 'Mailgun; Amazon SES; Postmark 406',
  },
]

const unknown =
  '(unknown|invalid|no such|nonexistent|non existent|non existing|inexistent|bad|not a valid|not a known|undeliverable|inconnu|unbekannte(r|s)?)'
const person =
  '(user|recipient|mailbox|account|address|addressee|mail box|email|e mail|email address|rcpt|customer|local part|alias|id|person|destinataire|utilisateur|empfanger|benutzer)'

/** Recipients who cannot take the mail, now or ever. */
export const recipientRules: readonly AnswerRule[] = [
  {
    name: 'recipient-locked',
    stages: AFTER_RECIPIENT,
    phrases: [
      '(user|mailbox|recipient|account|domain|address) … (temporary|temporarily|currently) (locked|disabled|suspended|unavailable|deactivated|inactive)',
    ],
    concerns: 'recipient',
    lasting: 'temporary',
    source: 'Mimecast; Facebook RCP-T4; Sisimai, reason suspend',
  },
  {
    name: 'recipient-refused',
    stages: AFTER_RECIPIENT,
    phrases: [
      'recipient address rejected (access|service|policy|xlink|user temporary|unverified)',
      '(unavailable or access denied|unknown or access denied)',
      'mailbox cannot be accessed',
      'user reject(ed|s)?',
      'restricted characters in address',
      'address ambiguous',
    ],
    concerns: 'recipient',
    lasting: 'permanent',
    source: 'Exchange 5.4.1 and 5.2.1, which it says of policies too; QQ; Exim; RFC 3463 section 3.2',
  },
  {
    name: 'user-unknown',
    stages: AFTER_RECIPIENT,
    phrases: [
      `${unknown} (or unknown |or illegal )?(local |virtual |destination |recipient |email |user |e mail |mailbox )?${person}`,
      'unknown or illegal alias',
      `${person} (is |was |are |name |address |alias )?(xaddress )?(is )?(unknown|invalid|nonexistent|non existent|inexistent|inconnue?|unbekannt|invalide|inexistante?|unrecognized)`,
      `${person} … (not found|does not exist|doesnt exist|do not exist|dont exist|not exist|not known|not bekannt|nicht bekannt|could not be found|no longer exists|nexiste pas|existiert nicht|nicht gefunden|nicht vorhanden)`,
      'xaddress (is )?(not found|does not exist|no such user|unknown)',
      '(no|not a|isnt a) (valid |active |known )?(mailbox|mail box|user|account|person) … (here|found|exists?|name|this|address|system|host|xhost)',
      'not a (valid|known) (user|mailbox|recipient)',
      'not an active address',
      'user doesnt have',
      'no longer (available|valid|in use|exists|active|on server|accepts mail)',
      'not listed in',
      'not our customer',
      'no one at this address',
      'no existe',
      'unrout(e)?able address',
      '(recipnotfound|exrecipnotfound|recipientnotfound)',
      'postfach … (unbekannt|existiert nicht|nicht gefunden)',
    ],
    concerns: 'recipient',
    lasting: 'permanent',
    gone: true,
    source: 'Postfix; sendmail; qmail; Gmail 5.1.1; Yahoo; Exchange 5.1.10; Exim; Orange OFR_416; WEB.DE',
  },
  {
    name: 'mailbox-disabled',
    stages: AFTER_RECIPIENT,
    phrases: [
      '(mailbox|account|user|address|recipient) … (is |has been |was |been )?(disabled|inactive|deactivated|discontinued|closed|deleted|removed|terminated|expired|not active|not activated)',
      '(disabled|inactive|deactivated|closed) (email |e mail )?(recipient|user|account|mailbox|address)',
      'disableduser',
    ],
    concerns: 'recipient',
    lasting: 'permanent',
    gone: true,
    source: 'RFC 3463 section 3.3, x.2.1; Gmail 5.2.1; Yahoo; Comcast; GMX',
  },
  {
    name: 'null-mx',
    stages: AFTER_RECIPIENT,
    phrases: ['null ?mx', 'domain … does not accept (any )?(mail|email)'],
    concerns: 'recipient',
    lasting: 'permanent',
    gone: true,
    source: 'RFC 7505 section 4.1',
  },
  {
    name: 'domain-unknown',
    stages: AFTER_RECIPIENT,
    phrases: [
      'nxdomain',
      '(domain|host) … (does not exist|doesnt exist|non existent|nonexistent)',
      '(nonexistent|non existent) domain',
      'no such (domain|host)',
    ],
    concerns: 'recipient',
    lasting: 'permanent',
    gone: true,
    source: 'RFC 2308 section 2.1; Exchange 5.4.4 and 5.4.310',
  },
  {
    name: 'host-unknown',
    stages: AFTER_RECIPIENT,
    enhanced: ['5.1.2'],
    phrases: ['host unknown', 'unknown mail server', 'unknown host'],
    concerns: 'recipient',
    lasting: 'permanent',
    gone: true,
    source: 'sendmail; RFC 3463 section 3.2',
  },
  {
    name: 'domain-not-found',
    stages: AFTER_RECIPIENT,
    phrases: [
      'host or domain name not found',
      '(domain|host)( name)? (is )?(not found|unknown|lookup|not reachable)',
      '(unable to|could not|cannot) (route|resolve|look up|find) … (host|domain|exchanger|mx|server)',
      'no (mx|route)',
    ],
    concerns: 'recipient',
    lasting: 'temporary',
    source: 'Postfix: the resolver may be at fault',
  },
  {
    name: 'mailbox-unavailable-policy',
    stages: AFTER_RECIPIENT,
    enhanced: ['x.7.x'],
    phrases: ['mailbox … unavailable'],
    concerns: 'unknown',
    lasting: 'temporary',
    source: 'RFC 5321 section 4.2.2: 550 in these words is also said for policy',
  },
  {
    name: 'mailbox-unavailable',
    stages: ['RCPT TO', 'report'],
    codes: ['550'],
    phrases: ['requested action not taken mailbox … unavailable'],
    concerns: 'recipient',
    lasting: 'permanent',
    gone: true,
    source: 'RFC 5321 section 4.2.2; Outlook.com 5.5.0; GMX',
  },
  {
    name: 'recipient-rejected',
    stages: AFTER_RECIPIENT,
    phrases: [
      '(recipient|mailbox|destination)( address| xaddress)? (rejected|refused|denied|unavailable|not available|not accepted|suspended|restricted|archived|prohibited|suspend|not allowed)',
      '(mailbox|user|recipient|address|account) … (unavailable|suspended|not allowed|rejected|not accepting|refused|isblocked|is blocked|cannot be accessed)',
      '(recipient|mailbox) … (name )?not allowed',
      'archived recipient',
      'user not local',
    ],
    concerns: 'recipient',
    lasting: 'permanent',
    source: 'RFC 5321 section 4.2.2, 551 and 553; Postfix, check_recipient_access; Orange OFR_420 and OFR_426',
  },
]
