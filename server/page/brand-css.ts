import type { BrandStyle } from './brand-style.ts'
import { type FaceKey, faces } from './faces.ts'

/** Faces differ in how large they look; these read alike. */
const textSize: Partial<Record<FaceKey, string>> = {
  newsreader: '20.5px',
  fraunces: '19px',
  serif: '19px',
}

const stack = (key: FaceKey, display = false): string =>
  display && key === 'newsreader' ? `"Newsreader Display",${faces[key].web}` : faces[key].web

/** A newsletter's colours and faces as custom properties. Every value comes from `brandStyle`, none from a text field. */
export function brandCss(style: BrandStyle): string {
  const byDay = [
    `--accent:${style.accent};--on-accent:${style.onAccent};--wash:${style.wash}`,
    `--display:${stack(style.display, true)};--text:${stack(style.text)};--ui:${stack(style.ui)}`,
    `--display-weight:${style.displayWeight};--display-tracking:${style.displayTracking};--text-size:${textSize[style.text] ?? '18.5px'}`,
  ]
  const byNight = `--accent:${style.accentNight};--on-accent:${style.onAccentNight};--wash:${style.washNight}`
  return `:root{${byDay.join(';')}}@media screen and (prefers-color-scheme:dark){:root{${byNight}}}`
}

/** The font files the first screen needs, by the names of their cuts. */
export const firstCuts = (style: BrandStyle): string[] =>
  [...new Set([style.display === 'newsreader' ? 'newsreader-display' : style.display, style.text])].filter(
    (cut) => !['serif', 'sans', 'mono'].includes(cut),
  )
