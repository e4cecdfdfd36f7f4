import { describe, expect, test } from 'vitest'
import { choiceOf, problemOf, targetOf } from './targets.ts'

const email = { to: 'email' } as const

describe('what a column becomes', () => {
  test.each(['skip', 'email', 'is_subscribed', 'tags', 'tag', 'new_field', 'field:favourite_port'])(
    '%s can be chosen, and is shown as chosen',
    (choice) => {
      expect(choiceOf(targetOf(choice, 'Port'))).toBe(choice)
    },
  )

  test('a tag and a new field are called like the column, as far as a name goes', () => {
    expect(targetOf('tag', 'x'.repeat(90))).toEqual({ to: 'tag', tag: 'x'.repeat(60) })
    expect(targetOf('new_field', 'Port')).toEqual({ to: 'new_field', label: 'Port', kind: 'text' })
  })

  test.each([
    ['no address', [targetOf('name', '')], 'noEmail'],
    ['the same thing twice', [email, targetOf('name', ''), targetOf('name', '')], 'twice'],
    ['the same field twice', [email, targetOf('field:port', ''), targetOf('field:port', '')], 'twice'],
    ['two new fields with one name', [email, targetOf('new_field', 'Port'), targetOf('new_field', 'port ')], 'twice'],
    ['a tag without a name', [email, targetOf('tag', ' ')], 'noName'],
    [
      'several tags and columns left out',
      [email, targetOf('tag', 'a'), targetOf('tag', 'b'), targetOf('skip', ''), targetOf('skip', '')],
      null,
    ],
  ])('%s', (_, targets, problem) => {
    expect(problemOf(targets)).toBe(problem)
  })
})
