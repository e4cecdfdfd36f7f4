import sharp from 'sharp'
import { drawScene, type Scene } from './scenes.ts'

const WIDTH = 1600
const HEIGHT = 900
const DOT = 8
/** How hard the edge of a dot is: soft enough not to stair-step. */
const EDGE = 2.2

type Ink = readonly [number, number, number]

const inkOf = (hex: string): Ink => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Ink
const paperOf = (ink: Ink) => ink.map((part) => Math.round(255 - (255 - part) * 0.08)) as unknown as Ink

/** A scene as two inks on a 45° screen, 200 dots across, as PNG. */
export async function halftone(scene: Scene, accent: string): Promise<Buffer> {
  const grey = await sharp(Buffer.from(drawScene(scene)))
    .flatten({ background: '#fff' })
    .greyscale()
    .raw()
    .toBuffer()
  const ink = inkOf(accent)
  const paper = paperOf(ink)
  const pixels = Buffer.alloc(WIDTH * HEIGHT * 3)
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      const at = y * WIDTH + x
      const inked = Math.min(1, Math.max(0, (screen(x, y) - (grey[at] as number) / 255) * EDGE + 0.5))
      for (let channel = 0; channel < 3; channel++) {
        const [light, dark] = [paper[channel] as number, ink[channel] as number]
        pixels[at * 3 + channel] = Math.round(light + (dark - light) * inked)
      }
    }
  }
  return sharp(pixels, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
    .png({ palette: true, colours: 16 })
    .toBuffer()
}

/** The threshold of a pixel: a grid of hills, turned by 45 degrees. */
function screen(x: number, y: number): number {
  const turn = Math.PI / DOT
  return 0.5 + (Math.cos((x + y) * turn) + Math.cos((x - y) * turn)) * 0.25
}
