import type { AnswerRule } from './answer-rule.ts'
import { codeRules } from './rules/code-rules.ts'
import { contentRules } from './rules/content-rules.ts'
import { recipientRules, waitingRules } from './rules/recipient-rules.ts'
import { relayRules, sessionRules } from './rules/relay-rules.ts'
import { senderRules } from './rules/sender-rules.ts'

/** Raised with every change of a rule. */
export const ANSWER_RULES_VERSION = 1

/**
 * The table of docs/answers.md: the first rule that fits decides. What speaks of the relay, the sender or the content comes
 * before what speaks of the recipient, because only the latter can cost an owner a subscriber.
 */
export const answerRules: readonly AnswerRule[] = [
  ...sessionRules,
  ...senderRules,
  ...relayRules,
  ...waitingRules,
  ...contentRules,
  ...recipientRules,
  ...codeRules,
]
