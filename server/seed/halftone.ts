import sharp from 'sharp'
import { drawScene, type Scene } from './scenes.ts'

const WIDTH = 1600
const HEIGHT = 900
const DOT = 8
const PERIOD = 2 * DOT
/** Steps from paper to ink. */
const SHADES = 15
/** How sharp the edge of a dot is: soft enough to show no steps. */
const EDGE = 2.2

/** Red, green and blue of `#rrggbb`, 0 to 255. */
const channelsOf = (hex: string): number[] => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))
const paperOf = (ink: number[]): number[] => ink.map((part) => Math.round(255 - (255 - part) * 0.08))

/** A scene in two colours, as halftone dots on a grid turned by 45°, 200 dots across. PNG, 1600 × 900. */
export async function halftone(scene: Scene, accent: string): Promise<Buffer> {
  const grey = await sharp(Buffer.from(drawScene(scene)))
    .flatten({ background: '#fff' })
    .greyscale()
    .raw()
    .toBuffer()
  const ink = channelsOf(accent)
  const paper = paperOf(ink)
  const colours = Array.from({ length: SHADES + 1 }, (_, shade) =>
    ink.map((dark, channel) => {
      const light = paper[channel] ?? 255
      return Math.round(light + ((dark - light) * shade) / SHADES)
    }),
  )
  const pixels = Buffer.alloc(WIDTH * HEIGHT * 3)
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      const at = y * WIDTH + x
      const threshold = thresholds[(y % PERIOD) * PERIOD + (x % PERIOD)] ?? 0
      const inked = Math.min(1, Math.max(0, (threshold - (grey[at] ?? 0) / 255) * EDGE + 0.5))
      const [red = 0, green = 0, blue = 0] = colours[Math.round(inked * SHADES)] ?? []
      pixels[at * 3] = red
      pixels[at * 3 + 1] = green
      pixels[at * 3 + 2] = blue
    }
  }
  return sharp(pixels, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
    .png({ palette: true, colours: SHADES + 1, effort: 1, dither: 0 })
    .toBuffer()
}

/** The grey, 0 to 1, below which a pixel gets ink: a grid of hills, turned by 45°, that repeats itself. */
const thresholds = Float64Array.from({ length: PERIOD * PERIOD }, (_, at) => {
  const turn = Math.PI / DOT
  const [x, y] = [at % PERIOD, Math.floor(at / PERIOD)]
  return 0.5 + (Math.cos((x + y) * turn) + Math.cos((x - y) * turn)) * 0.25
})
