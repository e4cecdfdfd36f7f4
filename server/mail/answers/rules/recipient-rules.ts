import { AFTER_RECIPIENT, type AnswerRule } from '../answer-rule.ts'

/** Recipients who can take the mail later. They come before words about limits and quotas of the relay. */
export const waitingRules: readonly AnswerRule[] = [
  {
    name: 'greylisted',
    phrases: ['gr(e|a)y ?list(ed|ing)?', 'postgrey', 'sqlgrey', 'liste grise'],
    concerns: 'recipient',
    lasting: 'temporary',
    source: 'RFC 6647 section 5.1; Postgrey',
  },
  {
    name: 'mailbox-full',
    stages: AFTER_RECIPIENT,
    phrases: [
      '(mailbox|mailfolder|inbox|mail ?box|mail file|boite|bal|postfach) … (is )?(full|overquota|over quota|pleine|voll|overflow|size limit|quota)',
      '(user|recipient|account|mailbox|disk|storage|box|email|quota) … (over|exceed(s|ed|ing)?) … (quota|storage|space|limit|size)',
      'over ?quota',
      '(disk|mailbox|mail|user|storage|recipient|quota) (quota )?(exceeded|is full|exhausted|exceed)',
      'out of (storage|space|disk|quota)',
      'not enough (storage|space|disk|room)',
      'insufficient (disk |mailbox |storage )?(storage|space|quota)',
      'quota … (erreicht|uberschritten|depasse|atteint)',
      'speicherplatz',
      'full mailbox',
    ],
    concerns: 'recipient',
    lasting: 'temporary',
    source: 'RFC 3463 section 3.3; Gmail 4.2.2 and 5.2.2; Dovecot; Orange OFR_417',
  },
  {
    name: 'recipient-busy',
    stages: AFTER_RECIPIENT,
    phrases: [
      '(receiving|received|receives) (mail|email|messages|too many)',
      'receive rate',
      'recipient … (rate|too many|busy|throttled)',
      'mailbox … (busy|locked|in use)',
    ],
    concerns: 'recipient',
    lasting: 'temporary',
    source: 'Gmail 4.2.1 and 5.2.1; RFC 5321 section 4.2.2, 450',
  },
  {
    name: 'mailbox-full-code',
    stages: AFTER_RECIPIENT,
    enhanced: ['x.2.2'],
    concerns: 'recipient',
    lasting: 'temporary',
    source: 'RFC 3463 section 3.3',
  },
]

const unknown =
  '(unknown|invalid|no such|nonexistent|non existent|non existing|inexistent|bad|not a valid|not a known|undeliverable)'
const person =
  '(user|recipient|mailbox|account|address|addressee|mail ?box|email|e mail|email address|rcpt|customer|local part|destinataire|person)'

/** Recipients who cannot take the mail, now or ever. */
export const recipientRules: readonly AnswerRule[] = [
  {
    name: 'user-unknown',
    stages: AFTER_RECIPIENT,
    phrases: [
      `${unknown} (local |virtual |destination |recipient |email |user )?${person}`,
      `${person} (is |was |are |name |address |alias )?(unknown|invalid|nonexistent|non existent|inexistent|inconnu|unbekannt)`,
      `${person} … (not found|does not exist|doesnt exist|do not exist|dont exist|not exist|doesn t exist|not known|could not be found|no longer exists|nexiste pas|existiert nicht|unbekannt|inconnue?)`,
      `(no|not a|isnt a) (mailbox|user|account|such person|valid recipient|valid mailbox|valid user) … (here|found|exists?|name|this|address|system|host|xhost)`,
      'no mailbox here by that name',
      'user doesnt have',
      'no longer (available|valid|in use|exists|active|on server)',
      'user … not … (local|directory|listed) (recipient|users?)',
      'not our customer',
      'unrout(e)?able address',
      'recipnotfound',
      'recipientnotfound',
      'recipient not found',
      'adresse … (invalide|inconnue|inexistante|ungultig|unbekannt)',
      '(destinataire|utilisateur) … (inconnu|invalide|inexistant)',
      '(empfanger|benutzer|postfach|mailbox|adressat|teilnehmer) … (unbekannt|ungultig|existiert nicht|nicht gefunden|nicht vorhanden)',
      'unbekannte(r|s)? (empfanger|benutzer|adresse)',
      'no account by that name here',
    ],
    concerns: 'recipient',
    lasting: 'permanent',
    gone: true,
    source: 'Postfix; sendmail; qmail; Gmail 5.1.1; Yahoo; Exchange 5.1.10; Exim; Orange OFR_416',
  },
  {
    name: 'mailbox-disabled',
    stages: AFTER_RECIPIENT,
    phrases: [
      '(mailbox|account|user|address|recipient) … (is |has been |was |been )?(disabled|inactive|deactivated|discontinued|closed|deleted|removed|terminated|expired|blocked due to inactivity)',
      '(disabled|inactive|deactivated|closed) (recipient|user|account|mailbox)',
    ],
    concerns: 'recipient',
    lasting: 'permanent',
    gone: true,
    source: 'RFC 3463 section 3.3, x.2.1; Gmail 5.2.1; Yahoo',
  },
  {
    name: 'null-mx',
    stages: AFTER_RECIPIENT,
    phrases: ['null ?mx', 'does not accept (any )?(mail|email)'],
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
      'no such (domain|host)',
    ],
    concerns: 'recipient',
    lasting: 'permanent',
    gone: true,
    source: 'RFC 2308 section 2.1; sendmail; Gmail',
  },
  {
    name: 'domain-not-found',
    stages: AFTER_RECIPIENT,
    phrases: [
      'host or domain name not found',
      '(domain|host)( name)? (not found|unknown|lookup)',
      '(unable|could not|cannot) … (route|resolve|find)',
      'no (mx|route)',
    ],
    concerns: 'recipient',
    lasting: 'temporary',
    source: 'Postfix: its resolver may be at fault',
  },
  {
    name: 'mailbox-unavailable-policy',
    stages: AFTER_RECIPIENT,
    enhanced: ['x.7.x'],
    phrases: ['mailbox … unavailable'],
    concerns: 'unknown',
    lasting: 'temporary',
    source: 'Microsoft: refusals of the sending server in these words',
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
    name: 'recipient-refused',
    stages: AFTER_RECIPIENT,
    phrases: [
      '(recipient|mailbox|destination) (address )?(rejected|refused|denied|unavailable|not available|not accepted|suspended|restricted)',
      '(mailbox|user|recipient|address) … (unavailable|suspended|restricted|not allowed|rejected|not accepting|refused)',
      '(restricted|notauthorized|authrequired|not authorized)',
      'user not local',
    ],
    concerns: 'recipient',
    lasting: 'permanent',
    source: 'Exchange 5.4.1 and 5.7.1, which it also says of policies; QQ; Postfix, check_recipient_access',
  },
]
