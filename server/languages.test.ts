import { expect, test } from 'vitest'
import { dateFormat } from './languages.ts'

const full = { dateStyle: 'full', timeStyle: 'short', timeZone: 'UTC' } as const
const clock = { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' } as const

test.each([
  ['2026-12-01T08:00:00Z', 'mardi 1er\u00a0décembre 2026 à 8\u00a0h', '8\u00a0h'],
  ['2026-12-11T18:05:00Z', 'vendredi 11\u00a0décembre 2026 à 18\u00a0h\u00a005', '18\u00a0h\u00a005'],
  ['2026-12-21T00:30:00Z', 'lundi 21\u00a0décembre 2026 à 0\u00a0h\u00a030', '0\u00a0h\u00a030'],
])('a French sentence writes %s as “%s”', (at, day, time) => {
  expect(dateFormat('fr-FR', full).format(new Date(at))).toBe(day)
  expect(dateFormat('fr-FR', clock).format(new Date(at))).toBe(time)
})

test('dates of figures alone stay as they are', () => {
  const first = new Date('2026-12-01T08:00:00Z')
  expect(dateFormat('fr-FR', { dateStyle: 'short', timeZone: 'UTC' }).format(first)).toBe('01/12/2026')
})

test('English has no comma behind the weekday, on screen and in mail', () => {
  const first = new Date('2026-12-01T08:00:00Z')
  expect(dateFormat('en-GB', full).format(first)).toBe('Tuesday 1\u00a0December 2026 at 08:00')
  const short = { weekday: 'short', day: 'numeric', month: 'short', ...clock } as const
  expect(dateFormat('en-GB', short).format(first)).toBe('Tue 1\u00a0Dec, 08:00')
})
