import type { BrandStyle } from './brand-style.ts'
import { type FaceKey, faces } from './faces.ts'
import { standInRules, standIns } from './fallback-faces.ts'

/** Faces differ in how large they look; these read alike. */
const textSize: Partial<Record<FaceKey, string>> = {
  newsreader: '20.5px',
  fraunces: '19px',
  serif: '19px',
}

/** The family that a face is set in. A display cut of Newsreader is a family of its own. */
const familyOf = (key: FaceKey, display = false): string =>
  display && key === 'newsreader' ? 'Newsreader Display' : (faces[key].label ?? '')

function stack(key: FaceKey, display = false): string {
  const family = familyOf(key, display)
  const { web } = faces[key]
  return family
    ? `${[family, ...standIns(family)].map((name) => `"${name}"`).join()},${web.replace(/^"[^"]*",/, '')}`
    : web
}

/** A newsletter's colours and faces as custom properties. Every value comes from `brandStyle`, none from a text field. */
export function brandCss(style: BrandStyle): string {
  const byDay = [
    `--accent:${style.accent};--on-accent:${style.onAccent};--wash:${style.wash}`,
    `--display:${stack(style.display, true)};--text:${stack(style.text)};--ui:${stack(style.ui)}`,
    `--display-weight:${style.displayWeight};--display-tracking:${style.displayTracking};--text-size:${textSize[style.text] ?? '18.5px'}`,
  ]
  const byNight = `--accent:${style.accentNight};--on-accent:${style.onAccentNight};--wash:${style.washNight}`
  const families = new Set([familyOf(style.display, true), familyOf(style.text), familyOf(style.ui)])
  return `${[...families].map(standInRules).join('')}:root{${byDay.join(';')}}@media screen and (prefers-color-scheme:dark){:root{${byNight}}}`
}

/** The font files the first screen needs, by the names of their cuts. */
export const firstCuts = (style: BrandStyle): string[] =>
  [...new Set([style.display === 'newsreader' ? 'newsreader-display' : style.display, style.text])].filter(
    (cut) => !['serif', 'sans', 'mono'].includes(cut),
  )
