import { enhancedStatusIn, replyCodeIn } from '../enhanced-status.ts'
import { type AnswerRule, allows, type Meaning, patternOf, type Stage } from './answer-rule.ts'
import { wordsOf } from './answer-words.ts'
import { answerRules } from './rules.ts'

/** What a server said. */
export interface ServerAnswer {
  stage: Stage
  /** The reply code (RFC 5321 section 4.2), or null when only words are known. */
  code: number | null
  /** The server's words, with codes as they came, in one line. */
  text: string
}

export interface Reading extends Meaning {
  /** The name of the rule that decided, as in docs/answers.md. */
  rule: string
  /** The words speak of something that stays until somebody changes it, whatever the code says: `454 Relay access denied`. */
  stays: boolean
}

interface Facts {
  stage: Stage
  code: string
  enhanced: string
  words: string
}

const compiled = answerRules.map((rule) => ({ rule, matches: matcherOf(rule) }))

/**
 * Says whom a refusal concerns and for how long. The first rule of docs/answers.md that fits decides. A code or status of the
 * class 4 makes every reading temporary, and nothing temporary is gone. Never throws; takes time linear in the text, of
 * which it reads the first 2,000 characters.
 */
export function readAnswer({ stage, code, text }: ServerAnswer): Reading {
  const known = code ?? (stage === 'report' ? replyCodeIn(text) : null)
  const enhanced = enhancedStatusIn(text) ?? ''
  const facts = { stage, code: String(known ?? ''), enhanced, words: wordsOf(text) }
  const { rule } = compiled.find(({ matches }) => matches(facts)) ?? { rule: unreadable }
  const isTemporary = facts.code.startsWith('4') || enhanced.startsWith('4') || rule.lasting === 'temporary'
  // Before a recipient is named, and with 421, it is the connection that is refused (RFC 5321 sections 3.3 and 3.8).
  const closes = facts.code === '421' || (stage === 'MAIL FROM' && facts.code.startsWith('4'))
  const isOfSession = rule.session === true || (closes && (rule.concerns === 'relay' || rule.concerns === 'unknown'))
  return {
    concerns: rule.concerns,
    lasting: isTemporary ? 'temporary' : 'permanent',
    session: stage !== 'report' && isOfSession,
    gone: rule.gone === true && !isTemporary,
    rule: rule.name,
    stays: rule.lasting === 'permanent',
  }
}

/** The last rule fits everything, so this is never used. */
const unreadable: AnswerRule = { name: 'unknown', concerns: 'unknown', lasting: 'temporary', source: '' }

function matcherOf({ stages, codes, enhanced, phrases }: AnswerRule): (facts: Facts) => boolean {
  const pattern = phrases && patternOf(phrases)
  return (facts) =>
    (stages?.includes(facts.stage) ?? true) &&
    (codes?.some((code) => allows(code, facts.code)) ?? true) &&
    (enhanced?.some((status) => allows(status, facts.enhanced)) ?? true) &&
    (pattern?.test(facts.words) ?? true)
}
