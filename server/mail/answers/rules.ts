import type { AnswerRule } from './answer-rule.ts'
import { codeRules } from './rules/code-rules.ts'
import { contentCodeRules, contentRules, namedContentRules } from './rules/content-rules.ts'
import { recipientRules, suppressedRules } from './rules/recipient-rules.ts'
import { quotaRules, relayCodeRules, relayRules, sessionRules } from './rules/relay-rules.ts'
import { senderCheckRules, senderCodeRules, senderRules } from './rules/sender-rules.ts'
import { fullMailboxCodeRules, fullMailboxRules, greylistRules, restrictionRules } from './rules/waiting-rules.ts'

/** Raised with every change of a rule. */
export const ANSWER_RULES_VERSION = 1

/**
 * The table of docs/answers.md: the first rule that fits decides. What speaks of the relay, the sender or the content comes
 * before what speaks of an address that is gone, because only that costs an owner a subscriber.
 */
export const answerRules: readonly AnswerRule[] = [
  ...greylistRules,
  ...sessionRules,
  ...senderCheckRules,
  ...restrictionRules,
  ...namedContentRules,
  ...senderRules,
  ...quotaRules,
  ...fullMailboxRules,
  ...suppressedRules,
  ...relayRules,
  ...contentRules,
  ...senderCodeRules,
  ...relayCodeRules,
  ...contentCodeRules,
  ...fullMailboxCodeRules,
  ...recipientRules,
  ...codeRules,
]
