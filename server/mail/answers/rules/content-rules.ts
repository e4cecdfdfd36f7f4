import { AFTER_RECIPIENT, type AnswerRule } from '../answer-rule.ts'

/** Answers about the message itself. */
export const contentRules: readonly AnswerRule[] = [
  {
    name: 'content-spam',
    stages: AFTER_RECIPIENT,
    phrases: [
      '(spam|spammy|spamming|spammer|junk|ube|uce|phish|phishing|virus|malware|infected|trojan|scam)',
      'unsolicited',
      'bulk (mail|email|e mail)',
      '(message|mail|email) content',
      'content … (rejected|blocked|refused|denied|policy|filter|unacceptable|not)',
      'rejected … (content|attachment)',
      '(attachment|url|urls|link|links) … (blocked|rejected|not allowed|forbidden|listed|banned|prohibited)',
      'suspicious',
      'pourriel',
      'indesirable',
      'unerwunscht(e|er|es)?',
    ],
    concerns: 'content',
    lasting: 'permanent',
    source: 'Gmail 5.7.1; Postfix, header_checks and milters; SpamAssassin; amavis; Free; Haraka; Rspamd',
  },
  {
    name: 'content-size',
    phrases: [
      '(message|mail|email|size|content|attachment|attachments) … (too (large|big|long)|exceed(s|ed|ing)? … (size|limit|maximum|allowed))',
      '(message|mail) size (limit|exceeds|exceeded)',
      'too (large|big) (message|mail)?',
      'maximum (message|mail|allowed) size',
      'nachricht … zu gross',
      'message … trop (gros|volumineux|grand)',
    ],
    concerns: 'content',
    lasting: 'permanent',
    source: 'RFC 1870 section 6; Postfix, message_size_limit',
  },
  {
    name: 'content-code',
    enhanced: ['x.3.4', 'x.2.3', 'x.6.x', 'x.7.28'],
    concerns: 'content',
    lasting: 'permanent',
    source: 'RFC 3463 sections 3.3, 3.4 and 3.7',
  },
  {
    name: 'content-form',
    stages: ['DATA', 'report'],
    phrases: [
      '(missing|duplicate|multiple|invalid|malformed|bad|illegal|syntax|too many|forbidden|no|required) … headers?',
      'headers? … (missing|invalid|malformed|not|too|syntax|required|rejected)',
      'bare (lf|cr|newline|linefeed|line feed)',
      'line … too long',
      'rfc ?(822|2822|5322)',
      '(improperly|not) formatted',
    ],
    concerns: 'content',
    lasting: 'permanent',
    source: 'Gmail 5.7.1, RFC 5322 compliance; Exim, verify = header_syntax; Postfix, smtpd_forbid_bare_newline',
  },
]
