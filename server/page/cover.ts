import { createHash } from 'node:crypto'
import { night } from './brand-style.ts'

/** The inks of a cover: the accent and its wash by day, the night accent on near-black by night. */
export interface CoverInks {
  accent: string
  wash: string
  accentNight: string
}

const coverShapes = {
  wide: { width: 1280, height: 720, screen: 9 },
  tall: { width: 840, height: 1180, screen: 8.4 },
  small: { width: 640, height: 400, screen: 8.2 },
} as const

export type CoverShape = keyof typeof coverShapes
export const coverShapeNames = ['wide', 'tall', 'small'] as const satisfies CoverShape[]

const tones = 14

/** Numbers from 0 to 1 that depend on the seed only, so that a newsletter always gets the same drawing. */
function chances(seed: string): () => number {
  let state = createHash('sha256').update(seed).digest().readUInt32LE(0)
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** Radius of a dot, in cells, that covers a share of its cell with ink. From about 0.7 the dots touch. */
const dotRadius = (share: number): number =>
  share < 0.7 ? Math.sqrt(share / Math.PI) : 0.472 + ((share - 0.7) / 0.3) * (Math.SQRT1_2 - 0.472)

/** A pattern of dots at 45° for each tone. All are on one grid, so that neighbouring tones join. */
function screens(cell: number): string {
  return Array.from({ length: tones }, (_, index) => {
    const r = (dotRadius((index + 1) / (tones + 1)) * cell).toFixed(2)
    const half = cell / 2
    return `<pattern id="t${index}" width="${cell}" height="${cell}" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><circle cx="${half}" cy="${half}" r="${r}"/></pattern>`
  }).join('')
}

interface Size {
  width: number
  height: number
}

/** A ridge: two slow waves with the paper below them. `base` and `swell` are shares of the height. */
function ridge({ width, height }: Size, { base, swell }: { base: number; swell: number }, next: () => number): string {
  const [a, b, c, d] = [next() * 6.28, next() * 6.28, 0.6 + next() * 0.9, 1.6 + next() * 1.6]
  const points = Array.from({ length: 25 }, (_, index) => {
    const x = index / 24
    const y = base + swell * (0.7 * Math.sin(a + x * 6.28 * c) + 0.3 * Math.sin(b + x * 6.28 * d))
    return `${Math.round(x * width)} ${Math.round(y * height)}`
  })
  return `M0 ${height}L${points.join('L')}L${width} ${height}Z`
}

interface Band {
  width: number
  top: number
  bottom: number
  /** Numbers of tones, at the top and at the bottom. */
  first: number
  last: number
}

/** Rows of tone from `first` to `last` across a band of the picture, each a rectangle of one screen. */
function graded({ width, top, bottom, first, last }: Band): string {
  const steps = Math.max(1, Math.abs(last - first) + 1)
  const high = (bottom - top) / steps
  return Array.from({ length: steps }, (_, index) => {
    const tone = first + Math.sign(last - first) * index
    const y = Math.floor(top + index * high)
    return tone < 0 ? '' : `<rect y="${y}" width="${width}" height="${Math.ceil(high) + 1}" fill="url(#t${tone})"/>`
  }).join('')
}

/** By night the picture is a negative on black paper. */
const inkRules = ({ accent, wash, accentNight }: CoverInks, time: 'day' | 'night' | 'auto'): string => {
  const byDay = `svg{background:${wash};fill:${accent}}.p{fill:${wash}}`
  const byNight = `svg{background:${accentNight};fill:${night.paper}}.p{fill:${accentNight}}`
  if (time === 'auto') return `${byDay}@media(prefers-color-scheme:dark){${byNight}}`
  return time === 'day' ? byDay : byNight
}

interface Cover {
  seed: string
  inks: CoverInks
  shape: CoverShape
  time?: 'day' | 'night' | 'auto'
}

/**
 * A newsletter's cover until it has one of its own: sky, sun and ridges on a halftone screen, in two inks. `auto` follows
 * the reader's colour scheme, which pictures in mail cannot. SVG, 4 to 9 kB.
 */
export function coverSvg({ seed, inks, shape, time = 'auto' }: Cover): string {
  const { screen, ...size } = coverShapes[shape]
  const { width, height } = size
  const next = chances(seed)
  const horizon = 0.42 + next() * 0.14
  const r = (0.06 + next() * 0.04) * Math.hypot(width, height)
  const sun = { x: (0.18 + next() * 0.64) * width, y: r * (1.3 + next() * 0.5), r }
  const layers = Array.from({ length: 4 }, (_, index) => {
    const base = horizon + ((index + 0.2) / 4) * (1 - horizon)
    return {
      base,
      path: ridge(size, { base, swell: 0.05 + next() * 0.05 }, next),
      light: 2 + index * 2,
      dark: 6 + index * 2,
    }
  })
  const clips = layers.map(({ path }, index) => `<clipPath id="c${index}"><path d="${path}"/></clipPath>`).join('')
  const land = layers
    .map(({ base, path, light, dark }, index) => {
      const top = Math.max(0, base - 0.11) * height
      return `<g clip-path="url(#c${index})"><path class="p" d="${path}"/>${graded({ width, top, bottom: height, first: dark, last: light })}</g>`
    })
    .join('')
  const ground = `<rect class="p" width="${width}" height="${height}"/>`
  const sky = graded({ width, top: 0, bottom: height * (horizon + 0.14), first: 9, last: 0 })
  const disc = `<circle class="p" cx="${Math.round(sun.x)}" cy="${Math.round(sun.y)}" r="${Math.round(sun.r)}"/>`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><style>${inkRules(inks, time)}</style><defs>${screens(screen)}${clips}</defs>${ground}${sky}${disc}${land}</svg>`
}
