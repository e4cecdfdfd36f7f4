import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '../../root.ts'
import type { AnswerRule } from './answer-rule.ts'
import { ANSWER_RULES_VERSION, answerRules } from './rules.ts'

const listed = (values: readonly string[] | undefined) => values?.map((value) => `\`${value}\``).join(', ') ?? ''

const rowOf = ({ name, stages, codes, enhanced, phrases, concerns, lasting, session, gone, source }: AnswerRule) => {
  const meaning = [concerns, lasting, session && '**session**', gone && '**gone**'].filter(Boolean).join(', ')
  const words = listed(phrases?.map((phrase) => phrase.replaceAll('|', '\\|')))
  return `| \`${name}\` | ${listed(stages)} | ${listed([...(codes ?? []), ...(enhanced ?? [])])} | ${words} | ${meaning} | ${source} |`
}

test('docs/answers.md publishes the rules that decide, in their order, and their version', () => {
  const published = readFileSync(join(projectRoot, 'docs/answers.md'), 'utf8')
  const rows = published.split('\n').filter((line) => /^\| `[a-z0-9-]+` \|/.test(line))
  expect(rows).toEqual(answerRules.map(rowOf))
  expect(published).toContain(`Version ${ANSWER_RULES_VERSION} of the rules`)
})

test('every rule has a name of its own and a source, and only recipients are gone', () => {
  expect(new Set(answerRules.map(({ name }) => name)).size).toBe(answerRules.length)
  for (const { source, gone, concerns, lasting, stages } of answerRules) {
    expect(source).not.toBe('')
    if (!gone) continue
    expect([concerns, lasting]).toEqual(['recipient', 'permanent'])
    expect(stages?.every((stage) => ['RCPT TO', 'DATA', 'report'].includes(stage))).toBe(true)
  }
})
