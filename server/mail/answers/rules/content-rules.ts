import { AFTER_RECIPIENT, type AnswerRule } from '../answer-rule.ts'

/** Answers that name a part of the message as the reason. They come before words such as *listed* and *blocked*. */
export const namedContentRules: readonly AnswerRule[] = [
  {
    name: 'content-named',
    stages: AFTER_RECIPIENT,
    phrases: [
      'duplicate header',
      'spam (content|pattern)',
      '(its|message|mail|email) content',
      'nature of the content',
      'url in this (email|e mail|mail|message)',
      'content … (rejected|refused|denied|judged|policy|filter|presents)',
      'rejected … (content|attachment)',
    ],
    concerns: 'content',
    lasting: 'permanent',
    source: 'Gmail 5.7.0; KumoMTA; GoDaddy IB212; QQ; Apple',
  },
]

/** Answers about the message itself. */
export const contentRules: readonly AnswerRule[] = [
  {
    name: 'content-spam',
    stages: AFTER_RECIPIENT,
    phrases: [
      '(spam|spammy|spamming|spammer|spamtext|junk|junkmail|ube|phish|phishing|virus|malware|infected|trojan|scam)',
      'unsolicited',
      'bulk (mail|email|e mail)',
      '(illegal|forbidden|banned) attachment',
      '(attachment|attachment extension|url|urls|links?) … (blocked|rejected|not allowed|forbidden|banned|prohibited)',
      'security polic(y|ies)',
      'quarantined',
      'suspicious',
      'mail score',
      'mail rejete',
      '(pourriel|indesirable|unerwunschter?)',
    ],
    concerns: 'content',
    lasting: 'permanent',
    source: 'Gmail 5.7.1; Free; Mail.ru; Yandex; Orange OFR_506; Mimecast; Exchange',
  },
  {
    name: 'content-size',
    phrases: [
      '(message|mail|email|size|content|attachment|attachments) … (too (large|big|long)|exceed(s|ed|ing)? … (size|limit|maximum|allowed))',
      '(message|mail|email|header) size … (limit|exceeds|exceeded)',
      'exceeds … (bytes|limit) per individual header',
      'too (large|big)',
      'maximum (message|mail|allowed) size',
      'taille (limite|maximale)',
      'nachricht … zu gross',
      'message … trop (gros|volumineux|grand)',
    ],
    concerns: 'content',
    lasting: 'permanent',
    source: 'RFC 1870 section 6; qmail; Gmail 5.3.4; Orange OFR_514',
  },
  {
    name: 'content-form',
    stages: ['DATA', 'report'],
    phrases: [
      '(missing|multiple|invalid|malformed|bad|illegal|syntax|too many|forbidden|no|required) … headers?',
      'headers? … (missing|invalid|malformed|not|too|syntax|required|rejected|improperly)',
      'bare (lf|cr|newline|linefeed|line feed)',
      'line … too long',
      'encoded word',
      'rfc ?(822|2822|5322)',
    ],
    concerns: 'content',
    lasting: 'permanent',
    source: 'Gmail 5.7.1, RFC 5322 compliance; SparkPost Momentum; Microsoft 5.7.512',
  },
]

export const contentCodeRules: readonly AnswerRule[] = [
  {
    name: 'content-code',
    enhanced: ['x.3.4', 'x.2.3', 'x.6.x', 'x.7.28'],
    concerns: 'content',
    lasting: 'permanent',
    source: 'RFC 3463 sections 3.3, 3.4 and 3.7',
  },
]
