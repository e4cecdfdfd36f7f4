import { describe, expect, test } from 'vitest'
import type { Sheet, Target } from '../../../server/subscribers/import/contract.ts'
import { choiceOf, problemOf, targetOf, unprovenDay } from './targets.ts'

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

describe('the day that the owner is asked about', () => {
  const sheetOf = (...days: Sheet['columns'][number]['days'][]): Sheet => ({
    ...{ encoding: 'utf-8', delimiter: ',', hasHeader: true, preset: null, samples: [] },
    columns: days.map((each, at) => ({ name: '', example: `0${at}/04/2025`, filled: 100, target: email, days: each })),
  })
  const joined = { to: 'joined' } as const
  const skip = { to: 'skip' } as const
  const birthday = { to: 'field', field: 'birthday' } as const

  test.each<[string, { sheet: Sheet; targets: Target[] }, string | null]>([
    [
      'is the first of a time without proof',
      { sheet: sheetOf(null, 'unproven', 'unproven'), targets: [email, joined, birthday] },
      '01/04/2025',
    ],
    [
      'is none when another time has proof',
      { sheet: sheetOf('day_first', 'unproven'), targets: [birthday, joined] },
      null,
    ],
    [
      'is asked though a column without a time has proof',
      { sheet: sheetOf('day_first', 'unproven'), targets: [skip, joined] },
      '01/04/2025',
    ],
    ['is none of a column that is not imported', { sheet: sheetOf('unproven'), targets: [skip] }, null],
    [
      'is none of a field that is no date',
      { sheet: sheetOf('unproven'), targets: [{ to: 'field', field: 'city' }] },
      null,
    ],
  ])('%s', (_, { sheet, targets }, day) => {
    const fields = [
      { key: 'birthday', kind: 'date' },
      { key: 'city', kind: 'text' },
    ]
    expect(unprovenDay(sheet, targets, fields)).toBe(day)
  })
})
