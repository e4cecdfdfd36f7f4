import { AFTER_RECIPIENT, type AnswerRule } from '../answer-rule.ts'

/** Greylisting often speaks of block lists, and asks for nothing but a second attempt. */
export const greylistRules: readonly AnswerRule[] = [
  {
    name: 'greylisted',
    phrases: ['gr(e|a)y ?list(ed|ing)?', 'postgrey', 'liste grise'],
    concerns: 'recipient',
    lasting: 'temporary',
    source: 'RFC 6647 section 5.1; milter-greylist',
  },
]

/** What one recipient or their organisation decided, or how much they get. */
export const restrictionRules: readonly AnswerRule[] = [
  {
    name: 'recipient-restricted',
    stages: AFTER_RECIPIENT,
    phrases: [
      'resolver rst (authrequired|notauthorized)',
      'sender (was )?not authenticated for',
      '(blocked|rejected|blacklisted|banned) by (the )?recipients?',
      'banned recipient',
      'recipients preferences',
      'account or domain may not exist',
    ],
    concerns: 'recipient',
    lasting: 'permanent',
    source: 'Exchange 5.7.1, 5.7.133 and 5.7.134; Microsoft 5.7.505; QQ; cPanel, which also says it of senders',
  },
  {
    name: 'recipient-busy',
    stages: AFTER_RECIPIENT,
    phrases: [
      'receiving (mail|email|messages|limits|too many)',
      '(receive|receiving) (rate|limit)',
      'recipient … (rate|too many|busy|throttled|thread limit)',
      'mailbox … (busy|locked|in use)',
    ],
    concerns: 'recipient',
    lasting: 'temporary',
    source: 'Gmail 4.2.1 and 5.2.1; Yahoo; Exchange 4.3.2, 5.2.121 and 5.2.122',
  },
]

export const fullMailboxRules: readonly AnswerRule[] = [
  {
    name: 'mailbox-full',
    stages: AFTER_RECIPIENT,
    phrases: [
      '(mailbox|mailfolder|inbox|mail ?box|mail file|boite|bal|postfach|account|maildir) … (is )?(full|overquota|over quota|pleine|voll|overflow)',
      '(mailbox|mail file|account) (size |storage |file size )?(limit|exceeds|exceed)',
      '(user|recipient|account|mailbox|userdisk|disc|disk|storage|box|quota) … (over|exceed(s|ed|ing)?) … (quota|storage|space|limit|allocation)',
      'over (the |their |his )?(allowed |disk |storage )?quota',
      '(exceed(s|ed|ing)?|overdrawn) … quota',
      '(over|exceed(s|ed|ing)?) (the )?(maximum )?(allowed )?(mailbox size|number of messages|message count)',
      '(message|mail) would exceed',
      '(storage full|storage quota reached)',
      'larger than the space',
      'overquota',
      '(disk|disc|mailbox|mail|user|userdisk|storage|recipient|quota) (quota )?(limit )?(exceeded|is full|exhausted|exceed|violation)',
      'exceeded storage allocation',
      'exhausted allowed storage',
      '(reached|exceeding) (disk|their|its) quota',
      'out of (storage|space|disk|quota)',
      'not (have )?enough (storage|space|disk|diskspace|room)',
      '(space|storage|diskspace) (is )?not enough',
      'space has been used up',
      'too many messages (on|in) (the |this )?(server|mailbox)',
      'insufficient (disk |mailbox |storage )(storage|space|quota)',
      'quota … (erreicht|uberschritten|depasse|atteint)',
      '(speicherplatz|speichervolumen)',
      'full mailbox',
    ],
    concerns: 'recipient',
    lasting: 'temporary',
    source: 'RFC 3463 section 3.3; Gmail 4.2.2 and 5.2.2; WEB.DE; Orange OFR_417; RFC 5321 section 4.2.2, 552',
  },
]

export const fullMailboxCodeRules: readonly AnswerRule[] = [
  {
    name: 'mailbox-full-code',
    stages: AFTER_RECIPIENT,
    enhanced: ['x.2.2'],
    concerns: 'recipient',
    lasting: 'temporary',
    source: 'RFC 3463 section 3.3',
  },
]
