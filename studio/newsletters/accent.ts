type Rgb = [number, number, number]

/** The accent of a light page: darkened until its contrast with white is at least 4.5:1. */
export function readableAccent(hex: string): string {
  let colour = parse(hex)
  for (let step = 0; step < 60 && contrastWithWhite(colour) < 4.5; step++) colour = mix(colour, [0, 0, 0], 0.03)
  return format(colour)
}

/** The accent of a dark page: lightened until it is readable there. */
export function nightAccent(hex: string): string {
  let colour = parse(hex)
  for (let step = 0; step < 60 && luminance(colour) < 0.42; step++) colour = mix(colour, [255, 255, 255], 0.04)
  return format(colour)
}

const parse = (hex: string): Rgb => {
  const value = Number.parseInt(/^#([0-9a-f]{6})$/i.exec(hex)?.[1] ?? '0c5c5a', 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

const mix = ([r, g, b]: Rgb, [red, green, blue]: Rgb, share: number): Rgb => [
  r + (red - r) * share,
  g + (green - g) * share,
  b + (blue - b) * share,
]

const format = (colour: Rgb) => `#${colour.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`

/** Relative luminance (WCAG 2.2), from 0 to 1. */
const luminance = ([r, g, b]: Rgb): number => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)

/** @param part of a colour in sRGB, from 0 to 255 */
function linear(part: number): number {
  const share = part / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}

const contrastWithWhite = (colour: Rgb) => 1.05 / (luminance(colour) + 0.05)
