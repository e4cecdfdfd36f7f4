import { expect, test } from 'vitest'
import { languages } from '../../languages.ts'
import { translator } from '../../translator.ts'
import type { Target } from './contract.ts'
import { type Reading, readRow, type StagedRow } from './read-row.ts'
import { ourTags, readTags } from './read-tags.ts'
import { readTime } from './read-time.ts'

const reading = (targets: Target[]): Reading => ({
  targets,
  fields: new Map([
    ['city', { kind: 'text', choices: [] }],
    ['age', { kind: 'number', choices: [] }],
    ['since', { kind: 'date', choices: [] }],
    ['vip', { kind: 'yes_no', choices: [] }],
    ['boat', { kind: 'choice', choices: ['Sail', 'Motor'] }],
  ]),
  newKeys: new Map(),
  isOurs: false,
  dayOrder: null,
  tag: null,
  policyFor: (address) => (address.startsWith('info@') ? { kind: 'role' } : null),
  now: new Date('2026-11-22T12:00:00Z'),
})
const read = (target: Target, cell: string) =>
  readRow({ line: 2, cells: ['ada@example.org', cell], fault: null }, reading([{ to: 'email' }, target]))
const reasonsOf = ({ notes }: StagedRow) => notes.map(({ reason }) => reason)
const address = (cell: string) => readRow({ line: 2, cells: [cell], fault: null }, reading([{ to: 'email' }]))

test.each([
  ['Ada@Example.ORG', 'ada@example.org'],
  [' ada@example.org ', 'ada@example.org'],
  ['Ada <ada@example.org>', 'ada@example.org'],
  ['mailto:ada@example.org', 'ada@example.org'],
  [' "ada@example.org" ', 'ada@example.org'],
  ['ada@bücher.example', 'ada@xn--bcher-kva.example'],
  ["'+ada@example.org", '+ada@example.org'],
])('the address %s is read', (cell, normalised) => expect(address(cell)).toMatchObject({ refusal: null, normalised }))

test.each([
  ['', 'no_address'],
  ['ada', 'not_an_address'],
  ['marie louise@free.fr', 'space_in_address'],
  ['élodie@exämple.org', 'accent_in_address'],
  ['élodie@@example.org', 'not_an_address'],
  ['=1+1', 'formula'],
  ['@sum(A1:A3)', 'formula'],
  ['@example.org', 'not_an_address'],
  ["'=cmd|' /C calc'!A0", 'formula'],
  ['info@example.org', 'role_address'],
  ['ada@gmial.com', 'mistyped_domain'],
  ['ad\u0000a@example.org', 'not_an_address'],
  ['ad\uFFFDa@example.org', 'unreadable'],
])('the address %s is refused', (cell, refusal) => expect(address(cell)).toMatchObject({ refusal, normalised: null }))

const field = (key: string): Target => ({ to: 'field', field: key })

test.each<[string, string, unknown]>([
  ['city', ' Brest ', 'Brest'],
  ['city', "'=1+1", '=1+1'],
  ['age', '41', 41],
  ['age', '1 234,5', null],
  ['age', '3,5', 3.5],
  ['age', 'many', null],
  ['since', '2021-03-14T07:02:51.000Z', '2021-03-14'],
  ['since', '14/03/2021', '2021-03-14'],
  ['since', '04/03/2021', null],
  ['since', '14/03/21', null],
  ['since', '2021-02-31', null],
  ['vip', 'oui', true],
  ['vip', 'FALSE', false],
  ['vip', 'perhaps', null],
  ['boat', 'sail', 'Sail'],
  ['boat', 'rowing', null],
])('the field %s of %s', (key, cell, value) => {
  const row = read(field(key), cell)
  expect(row.fields).toEqual(value === null ? {} : { [key]: value })
  expect(row.notes.length === 0).toBe(value !== null)
  expect(row.refusal).toBeNull()
})

test.each<[Target['to'], string, string]>([
  ['status', 'Subscribed', 'active'],
  ['status', 'blocklisted', 'complained'],
  ['status', 'cleaned', 'bounced'],
  ['status', 'inactive', 'unsubscribed'],
  ['status', 'pending', 'pending'],
  ['status', 'Actif', 'active'],
  ['status', 'Abonnée', 'active'],
  ['status', 'inscrit·e', 'active'],
  ['status', 'désinscrit', 'unsubscribed'],
  ['status', 'Parti(e)', 'unsubscribed'],
  ['status', 'Injoignable', 'bounced'],
  ['status', 'needs_attention', 'pending'],
  ['has_left', 'true', 'unsubscribed'],
  ['has_left', 'false', 'active'],
  ['is_subscribed', 'false', 'unsubscribed'],
  ['left', '2024-03-13 11:33:53 UTC', 'unsubscribed'],
  ['left', '', 'active'],
])('%s %s means %s', (to, cell, status) =>
  expect(read({ to } as Target, cell)).toMatchObject({ status, refusal: null }),
)

test.each([
  ['Hebdomadaire', 'weekly'],
  ['monthly', 'monthly'],
  ['chaque fois', 'every'],
  ['now and then', null],
])('the pace %s', (cell, pace) => expect(read({ to: 'pace' }, cell)).toMatchObject({ pace, refusal: null }))

test.each(languages)('the words of the studio and of the error for a state are known, in %s', (language) => {
  const t = translator(language)
  const states = ['active', 'pending', 'unsubscribed', 'bounced', 'complained'] as const
  for (const status of states)
    expect(read({ to: 'status' }, t(`subscribers.state.${status}`))).toMatchObject({ status })
  const [, offered = ''] = /\. \S+ (.*)\.$/.exec(t('imports.reason.unknown_status')) ?? []
  const understood = offered.split(/, | or | ou /).map((word) => read({ to: 'status' }, word).status)
  expect(understood.toSorted()).toEqual(states.toSorted())
})

test('a state that is not known refuses the row', () =>
  expect(read({ to: 'status' }, 'perhaps')).toMatchObject({ refusal: 'unknown_status', cell: 'perhaps' }))

test.each([
  ['2021-03-14T07:02:51.000Z', '2021-03-14T07:02:51.000000Z'],
  ['2026-11-22T12:45:37.123456Z', '2026-11-22T12:45:37.123456Z'],
  ['2018-02-12 10:54:27', '2018-02-12T10:54:27.000000Z'],
  ['2023-03-24 10:23:10 UTC', '2023-03-24T10:23:10.000000Z'],
  ['2023-03-24 10:23:10.123456 +0000 UTC', '2023-03-24T10:23:10.123456Z'],
  ['2021-03-14T07:02:51+02:00', '2021-03-14T05:02:51.000000Z'],
  ['2021-03-14', '2021-03-14T00:00:00.000000Z'],
  ['03/14/2021', null],
  ['2021-13-14', null],
  ['2021-02-30', null],
  ['1066-10-14', null],
  ['2999-01-01', null],
  ['yesterday', null],
])('the time %s', (cell, time) =>
  expect(readTime(cell, { from: Date.UTC(1990, 0, 1), to: Date.UTC(2027, 0, 1) })).toBe(time),
)

test('tags as other tools and as our own export join them', () => {
  expect(readTags('"Lorem, Editors","Dolor"')).toEqual(['Lorem, Editors', 'Dolor'])
  expect(readTags('a, b;c|d , ')).toEqual(['a', 'b', 'c', 'd'])
  expect(readTags('{"a b",c}')).toEqual(['a b', 'c'])
  expect(ourTags('a, b;c\\;d;e\\\\f')).toEqual(['a, b', 'c;d', 'e\\f'])
})

test('a row keeps at most a hundred tags, and no value grows beyond its field', () => {
  const row = read({ to: 'tags' }, Array.from({ length: 150 }, (_, n) => `tag${n}`).join(','))
  expect([reasonsOf(row), row.refusal]).toEqual([['too_many_tags'], null])
  expect(row.tags).toHaveLength(100)
  const text = read(field('city'), 'x'.repeat(5_000))
  expect([text.fields.city, reasonsOf(text)]).toEqual(['x'.repeat(500), ['long_text']])
  const named = read({ to: 'name' }, '😀'.repeat(500))
  expect([named.name?.length, named.name?.isWellFormed(), reasonsOf(named)]).toEqual([120, true, ['long_name']])
  const tagged = read({ to: 'tags' }, `${'y'.repeat(61)},z`)
  expect([tagged.tags, reasonsOf(tagged)]).toEqual([['y'.repeat(60), 'z'], ['long_tag']])
  expect(read({ to: 'name' }, 'x'.repeat(120)).notes).toEqual([])
})

test('each thing that could not be kept is said, and cells with the same reason together', () => {
  const targets: Target[] = [{ to: 'email' }, { to: 'language' }, { to: 'created' }, { to: 'joined' }]
  const kept = (...cells: string[]) =>
    readRow({ line: 2, cells: ['ada@example.org', ...cells], fault: null }, reading(targets)).notes
  expect(kept('de', '2099-01-01', '2025-02-31')).toEqual([
    { reason: 'other_language', cell: 'de' },
    { reason: 'time_to_come', cell: '2099-01-01' },
    { reason: 'no_such_day', cell: '2025-02-31' },
  ])
  expect(kept('fr', '2099-01-01', '2098-01-01')).toEqual([{ reason: 'time_to_come', cell: '2099-01-01 · 2098-01-01' }])
  const refused = readRow(
    { line: 2, cells: ['ada', 'de'], fault: null },
    reading([{ to: 'email' }, { to: 'language' }]),
  )
  expect([refused.refusal, refused.notes]).toEqual(['not_an_address', []])
})
