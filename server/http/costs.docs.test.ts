import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { limitsByStanding } from '../identity/limits-by-standing.ts'
import { limitsOfNetworks } from '../identity/network-limits.ts'
import { projectRoot } from '../root.ts'
import { costs } from './costs.ts'

const guide = readFileSync(join(projectRoot, 'docs', 'operating.md'), 'utf8')
const number = (value: number) => value.toLocaleString('en-GB')

test('the guide for operators has every cost', () => {
  for (const [name, { anHour, guestAnHour, atOnce, inProcess }] of Object.entries(costs)) {
    expect(guide).toContain(`| ${[name, ...[anHour, guestAnHour, atOnce, inProcess].map(number)].join(' | ')} |\n`)
  }
})

test('the guide for operators has every limit by standing', () => {
  for (const { guest, unproven, proven } of Object.values(limitsByStanding)) {
    const cells = [guest, unproven, proven].map(({ inAll, anHour }) => `${number(inAll)}, ${number(anHour)}`)
    expect(guide).toContain(` | ${cells.join(' | ')} |\n`)
  }
})

test('the guide for operators has every limit by network', () => {
  for (const { guest, unproven } of Object.values(limitsOfNetworks)) {
    const cells = [guest, unproven].map((most) => (most === null ? '–' : number(most)))
    expect(guide).toContain(` | ${cells.join(' | ')} |\n`)
  }
})
