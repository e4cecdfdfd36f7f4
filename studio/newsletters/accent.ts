type Rgb = [number, number, number]

/** The accent as pages print it: darkened until white text on it, and it on white, reach 4.5:1. */
export function readableAccent(hex: string): string {
  let colour = parse(hex)
  for (let step = 0; step < 60 && contrastWithWhite(colour) < 4.5; step++) colour = mix(colour, [0, 0, 0], 0.03)
  return print(colour)
}

/** The accent on a night page: lightened until it stands 7:1 from black. */
export function nightAccent(hex: string): string {
  let colour = parse(hex)
  for (let step = 0; step < 60 && luminance(colour) < 0.42; step++) colour = mix(colour, [255, 255, 255], 0.04)
  return print(colour)
}

const parse = (hex: string): Rgb => {
  const value = Number.parseInt(/^#([0-9a-f]{6})$/i.exec(hex)?.[1] ?? '0c5c5a', 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

const mix = (colour: Rgb, other: Rgb, share: number) =>
  colour.map((part, i) => part + ((other[i] ?? 0) - part) * share) as Rgb

const print = (colour: Rgb) => `#${colour.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`

/** Relative luminance, WCAG 2.2. */
function luminance(colour: Rgb): number {
  const [r, g, b] = colour.map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as Rgb
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

const contrastWithWhite = (colour: Rgb) => 1.05 / (luminance(colour) + 0.05)
