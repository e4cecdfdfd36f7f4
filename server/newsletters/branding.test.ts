import fc from 'fast-check'
import { expect, test } from 'vitest'
import { day, night } from '../page/brand-style.ts'
import { contrast, toOklch } from '../page/color.ts'
import { brandStyle, pairingKeys } from './branding.ts'

const distance = (one: string, other: string): number => {
  const a = toOklch(one)
  const b = toOklch(other)
  const turn = ((a.h - b.h) * Math.PI) / 180
  return Math.hypot(a.l - b.l, Math.sqrt(Math.max(0, a.c ** 2 + b.c ** 2 - 2 * a.c * b.c * Math.cos(turn))))
}

test.each([
  ['#0C5C5A', '#7CC9BF', '#EDF3F1'],
  ['#9A3412', '#F5A67C', '#FAF0E8'],
])('%s becomes the sample values', (accent, accentNight, wash) => {
  const style = brandStyle(accent, 'gazette')
  expect(style.accent).toBe(accent)
  expect(distance(style.accentNight, accentNight)).toBeLessThan(0.05)
  expect(distance(style.wash, wash)).toBeLessThan(0.02)
})

const hex = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)

test('any colour becomes an accent with enough contrast, in the light and the dark scheme', () => {
  fc.assert(
    fc.property(hex, fc.constantFrom(...pairingKeys), (color, pairing) => {
      const style = brandStyle(color, pairing)
      expect(contrast(style.accent, day.paper)).toBeGreaterThanOrEqual(4.5)
      expect(contrast(style.onAccent, style.accent)).toBeGreaterThanOrEqual(4.5)
      expect(contrast(style.accentNight, night.paper)).toBeGreaterThanOrEqual(4.5)
      expect(contrast(style.onAccentNight, style.accentNight)).toBeGreaterThanOrEqual(4.5)
      expect(contrast(day.ink, style.wash)).toBeGreaterThanOrEqual(7)
      expect(contrast(night.ink, style.washNight)).toBeGreaterThanOrEqual(7)
    }),
  )
})
