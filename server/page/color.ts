/** Colour arithmetic: WCAG 2.2 contrast on sRGB, and OKLCH (lightness 0–1, chroma, hue in degrees). Hex is `#rrggbb`. */
export interface Oklch {
  l: number
  c: number
  h: number
}

type Triple = [number, number, number]

/** Does the same to each of three channels. */
const each = ([r, g, b]: Triple, change: (channel: number, index: 0 | 1 | 2) => number): Triple => [
  change(r, 0),
  change(g, 1),
  change(b, 2),
]

const linear = (channel: number): number => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4)
const gamma = (channel: number): number =>
  channel <= 0.0031308 ? channel * 12.92 : 1.055 * channel ** (1 / 2.4) - 0.055

const channels = (hex: string): Triple => [
  Number.parseInt(hex.slice(1, 3), 16) / 255,
  Number.parseInt(hex.slice(3, 5), 16) / 255,
  Number.parseInt(hex.slice(5, 7), 16) / 255,
]

const toHex = (rgb: Triple): string =>
  `#${rgb
    .map((value) =>
      Math.round(Math.min(1, Math.max(0, value)) * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`.toUpperCase()

function luminance(hex: string): number {
  const [r, g, b] = channels(hex)
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
}

/** The contrast ratio of two colours, 1 to 21 (WCAG 2.2, section 1.4.3). */
export function contrast(one: string, other: string): number {
  const luminances = [luminance(one), luminance(other)]
  return (Math.max(...luminances) + 0.05) / (Math.min(...luminances) + 0.05)
}

export function toOklch(hex: string): Oklch {
  const [r, g, b] = each(channels(hex), linear)
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  const A = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s
  const B = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s
  return {
    l: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    c: Math.hypot(A, B),
    h: ((Math.atan2(B, A) * 180) / Math.PI + 360) % 360,
  }
}

function toRgb({ l, c, h }: Oklch): Triple {
  const A = c * Math.cos((h * Math.PI) / 180)
  const B = c * Math.sin((h * Math.PI) / 180)
  const long = (l + 0.3963377774 * A + 0.2158037573 * B) ** 3
  const medium = (l - 0.1055613458 * A - 0.0638541728 * B) ** 3
  const short = (l - 0.0894841775 * A - 1.291485548 * B) ** 3
  return [
    gamma(4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short),
    gamma(-1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short),
    gamma(-0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short),
  ]
}

const displayable = (rgb: Triple): boolean => rgb.every((value) => value >= -0.0005 && value <= 1.0005)

/** The nearest colour that a screen can show at that lightness and hue. Chroma is lowered until it can. */
export function fromOklch(color: Oklch): string {
  let c = color.c
  while (c > 0 && !displayable(toRgb({ ...color, c }))) c -= 0.002
  return toHex(toRgb({ ...color, c: Math.max(0, c) }))
}

/** `share` (0–1) of one colour laid over another. */
export function mix(one: string, other: string, share: number): string {
  const under = channels(other)
  return toHex(each(channels(one), (value, index) => value * share + under[index] * (1 - share)))
}

/** The same hue, made darker or lighter step by step until its contrast with `ground` is at least `ratio`. */
export function readableOn(hex: string, ground: string, ratio = 4.5): string {
  const step = luminance(ground) > 0.18 ? -0.005 : 0.005
  let color = hex.toUpperCase()
  const { l, c, h } = toOklch(hex)
  for (let lightness = l; contrast(color, ground) < ratio && lightness > 0 && lightness < 1; ) {
    lightness += step
    color = fromOklch({ l: lightness, c, h })
  }
  return color
}

/** Near-black or white, whichever reads better on a colour. */
export const inkOn = (ground: string): string =>
  contrast('#181C1B', ground) >= contrast('#FFFFFF', ground) ? '#181C1B' : '#FFFFFF'
