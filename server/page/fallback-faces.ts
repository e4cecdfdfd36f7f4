/** Fonts that nearly every device has, each with those that are as wide. */
const devices = {
  georgia: ['Georgia', 'Gelasio'],
  times: ['Times New Roman', 'Liberation Serif', 'Tinos'],
  noto: ['Noto Serif'],
  arial: ['Arial', 'Liberation Sans', 'Arimo', 'Helvetica'],
  roboto: ['Roboto'],
} as const

const deviceNames = ['georgia', 'times', 'noto', 'arial', 'roboto'] as const satisfies (keyof typeof devices)[]

type Device = (typeof deviceNames)[number]

interface Fallback {
  /** How much larger or smaller a device’s font is set, in percent, to run as wide as ours. */
  sizes: Partial<Record<Device, number>>
  /** Of our font, in percent of its size. */
  ascent: number
  descent: number
}

/** By family. Widths are those of English and French text, measured in the files. */
const fallbacks: Readonly<Record<string, Fallback>> = {
  Newsreader: { sizes: { georgia: 91.7, times: 100.6, noto: 85 }, ascent: 73.5, descent: 26.5 },
  'Newsreader Display': { sizes: { georgia: 100.7, times: 110.5, noto: 93.3 }, ascent: 73.5, descent: 26.5 },
  'Radio Canada': { sizes: { arial: 104.3, roboto: 104.5 }, ascent: 94.5, descent: 25.5 },
  'Bricolage Grotesque': { sizes: { arial: 109.1, roboto: 109.3 }, ascent: 93, descent: 27 },
  Fraunces: { sizes: { georgia: 97.2, times: 106.7, noto: 90.1 }, ascent: 97.8, descent: 25.5 },
}

const families = (family: string): [name: string, device: Device, size: number][] =>
  deviceNames.flatMap((device) => {
    const size = fallbacks[family]?.sizes[device]
    return size === undefined ? [] : [[`${family} ${device}`, device, size]]
  })

/** What stands in for a family of ours until its file is there, for `font-family`: lines break where they will, so that nothing jumps. */
export const standIns = (family: string): string[] => families(family).map(([name]) => name)

/** The `@font-face` rules of these stand-ins. */
export function standInRules(family: string): string {
  const fallback = fallbacks[family]
  if (!fallback) return ''
  const share = (value: number, size: number) => `${((value / size) * 100).toFixed(1)}%`
  return families(family)
    .map(([name, device, size]) => {
      const sources = devices[device].map((font) => `local("${font}")`).join()
      const [ascent, descent] = [share(fallback.ascent, size), share(fallback.descent, size)]
      return `@font-face{font-family:"${name}";src:${sources};size-adjust:${size}%;ascent-override:${ascent};descent-override:${descent};line-gap-override:0%}`
    })
    .join('')
}
