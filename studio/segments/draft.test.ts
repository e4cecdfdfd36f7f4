import { expect, test } from 'vitest'
import type { Filter } from '../../server/segments/filter/contract.ts'
import { type CustomField, draftOf, filterOf, newCondition, operatorsOf, subjects } from './draft.ts'

const fields: CustomField[] = (['text', 'number', 'date', 'yes_no', 'choice'] as const).map((kind, index) => ({
  id: index + 1,
  key: kind,
  label: kind,
  kind,
  choices: kind === 'choice' ? ['Red'] : [],
  shownToSubscriber: false,
}))

test.each<Filter>([
  { all: [{ on: 'email', op: 'contains', value: '@example.org' }] },
  { any: [{ on: 'name', op: 'empty' }, { not: [{ on: 'tag', op: 'has', tag: 3 }] }] },
  {
    all: [
      { on: 'language', op: 'is', value: 'fr' },
      { on: 'status', op: 'is_not', value: 'active' },
    ],
  },
  { all: [{ on: 'field', field: 'number', kind: 'number', op: 'between', from: -1, to: 2.5 }] },
  { all: [{ on: 'field', field: 'yes_no', kind: 'yes_no', op: 'is', value: false }] },
  { all: [{ on: 'field', field: 'date', kind: 'date', op: 'before', value: '2026-11-22' }] },
  { all: [{ on: 'field', field: 'choice', kind: 'choice', op: 'is', value: 'Red' }] },
  { all: [{ on: 'field', field: 'text', kind: 'text', op: 'filled' }] },
  {
    all: [
      { on: 'joined', op: 'within', days: 30 },
      { on: 'joined', op: 'between', from: '2026-01-01', to: '2026-02-01' },
    ],
  },
  {
    all: [
      { on: 'opened', op: 'did_not', days: 90 },
      { on: 'clicked', op: 'did', publication: 'pOne' },
    ],
  },
  { all: [{ on: 'link', op: 'did', link: 'lOne' }] },
  { all: [{ on: 'campaign', op: 'did_not', campaign: 'cOne' }] },
])('what was stored is shown, and stored again the same: %j', (filter) => {
  expect(filterOf(draftOf(filter), fields)).toEqual(filter)
})

test('a condition without its value is no filter yet', () => {
  for (const subject of [...subjects, ...fields.map(({ key }) => `field:${key}`)]) {
    const condition = newCondition(subject, fields)
    const whole = condition.op === 'yes'
    expect([subject, filterOf({ id: 0, way: 'all', parts: [condition] }, fields) !== null]).toEqual([subject, whole])
    expect(operatorsOf(subject, fields)).toContain(condition.op)
  }
  expect(filterOf({ id: 0, way: 'all', parts: [] }, fields)).toBeNull()
})
