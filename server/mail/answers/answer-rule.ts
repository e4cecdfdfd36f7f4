/** The step of the dialogue. `DATA` is the answer to the command and to the text; `report` is a bounce, by mail or webhook. */
export type Stage = 'greeting' | 'sign-in' | 'MAIL FROM' | 'RCPT TO' | 'DATA' | 'report'

export interface Meaning {
  /** Whom the answer concerns. `relay` includes the connection, its limits and the quotas of its account. */
  concerns: 'recipient' | 'sender' | 'relay' | 'content' | 'unknown'
  lasting: 'permanent' | 'temporary'
  /** A limit of this connection alone. Reconnect, and count no attempt. */
  session: boolean
  /** The address does not exist or can never receive mail. No other reading may mark a subscriber as bounced. */
  gone: boolean
}

/** A row of the table in docs/answers.md. Every condition that it has must hold. */
export interface AnswerRule {
  name: string
  /** Without them: every stage. */
  stages?: readonly Stage[]
  /** `550`, or `4xx` for a whole class (RFC 5321 section 4.2.1). */
  codes?: readonly string[]
  /** `5.1.1`, `x.2.2` for both classes, `x.3.x` for a whole subject (RFC 3463). */
  enhanced?: readonly string[]
  /**
   * Words of the answer in lower case, without accents and punctuation. `(a|b)` is a choice, `?` makes the letter or choice
   * before it optional, and each of up to two `…` stands for up to 60 characters.
   */
  phrases?: readonly string[]
  concerns: Meaning['concerns']
  lasting: Meaning['lasting']
  session?: true
  gone?: true
  /** Where the rule is from: a section of an RFC, or who publishes such answers. */
  source: string
}

/** The stages at which a recipient is known. */
export const AFTER_RECIPIENT = ['RCPT TO', 'DATA', 'report'] as const satisfies readonly Stage[]

const SYNTAX = /^[a-z0-9 ()|?…]+$/

/**
 * A pattern for all phrases of a rule. It has no unlimited repetition, so the time to match is linear in the length of the
 * answer.
 * @throws Error for a phrase with a character outside the syntax, or with more than two gaps
 */
export function patternOf(phrases: readonly string[]): RegExp {
  for (const phrase of phrases) {
    if (!SYNTAX.test(phrase) || phrase.split('…').length > 3) throw new Error(`Not a phrase: ${phrase}`)
  }
  const alternatives = phrases.map((phrase) => phrase.replaceAll('(', '(?:').replaceAll(' … ', ' (?:.{0,60} )?'))
  return new RegExp(`(?<![a-z0-9])(?:${alternatives.join('|')})(?![a-z0-9])`)
}

/** Whether a condition such as `5.1.1`, `x.2.2`, `x.3.x` or `4xx` allows a code. */
export const allows = (condition: string, code: string): boolean => {
  const parts = condition.includes('.') ? [condition.split('.'), code.split('.')] : [[...condition], [...code]]
  const [wanted = [], given = []] = parts
  return wanted.length === given.length && wanted.every((part, at) => part === 'x' || part === given[at])
}
