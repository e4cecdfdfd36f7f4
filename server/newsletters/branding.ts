import { type BrandStyle, day, night } from '../page/brand-style.ts'
import { contrast, fromOklch, mix, readableOn, toOklch } from '../page/color.ts'
import type { FaceKey } from '../page/faces.ts'

export const pairingKeys = ['gazette', 'affiche', 'revue', 'registre', 'systeme'] as const
export type PairingKey = (typeof pairingKeys)[number]

interface Pairing {
  /** A proper name, which is the same in all languages. */
  name: string
  display: FaceKey
  text: FaceKey
  ui: FaceKey
  displayWeight: number
  displayTracking: string
}

const pairings: Readonly<Record<PairingKey, Pairing>> = {
  gazette: {
    name: 'Gazette',
    display: 'newsreader',
    text: 'newsreader',
    ui: 'radio-canada',
    displayWeight: 450,
    displayTracking: '-.022em',
  },
  affiche: {
    name: 'Affiche',
    display: 'bricolage-grotesque',
    text: 'newsreader',
    ui: 'radio-canada',
    displayWeight: 640,
    displayTracking: '-.03em',
  },
  revue: {
    name: 'Revue',
    display: 'fraunces',
    text: 'radio-canada',
    ui: 'radio-canada',
    displayWeight: 480,
    displayTracking: '-.025em',
  },
  registre: {
    name: 'Registre',
    display: 'geist-mono',
    text: 'newsreader',
    ui: 'radio-canada',
    displayWeight: 550,
    displayTracking: '-.04em',
  },
  systeme: {
    name: 'Système',
    display: 'serif',
    text: 'serif',
    ui: 'sans',
    displayWeight: 600,
    displayTracking: '-.015em',
  },
}

export const defaultAccent = '#0C5C5A'

const nightLightness = 0.78
const nightChroma = 0.1
const washShare = 0.08

/** The brand style that follows from the accent colour (`#rrggbb`) and the pairing of fonts. */
export function brandStyle(accentHex: string, pairing: PairingKey): BrandStyle {
  const accent = readableOn(accentHex, day.paper)
  const { c, h } = toOklch(accent)
  const accentNight = fromOklch({ l: nightLightness, c: Math.min(c, nightChroma), h })
  const { name: _, ...faces } = pairings[pairing]
  return {
    accent,
    onAccent: '#FFFFFF',
    wash: mix(accent, day.paper, washShare),
    accentNight,
    onAccentNight: onNight(accentNight),
    washNight: mix(accentNight, night.paper, washShare),
    ...faces,
  }
}

/** Near-black with a little of the accent's hue. */
function onNight(accentNight: string): string {
  const { c, h } = toOklch(accentNight)
  const ink = fromOklch({ l: 0.18, c: Math.min(c, 0.03), h })
  return contrast(ink, accentNight) >= 4.5 ? ink : '#000000'
}
