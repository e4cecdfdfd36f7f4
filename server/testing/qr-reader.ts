import sharp from 'sharp'

/** What a picture of a QR code says. */
interface Read {
  text: string
  /** The letter of its error correction. */
  level: string
  /** So many light modules are around it. */
  quietZone: number
}

/** Reads the picture of an undamaged QR code of version 1 to 6, level M, as ISO/IEC 18004 says: the words for error correction are left aside. */
export async function readQrCode(picture: Buffer): Promise<Read> {
  const { dark, quietZone } = await modulesIn(picture)
  const { level, mask } = formatOf(dark)
  return { text: textIn(blocksIn(codewordsIn(dark, mask), versionOf(dark))), level, quietZone }
}

type Modules = boolean[][]

/** So wide is the pattern of a corner. The first line that is dark is the upper edge of two of them. */
const FINDER = 7

async function modulesIn(picture: Buffer): Promise<{ dark: Modules; quietZone: number }> {
  const drawn = sharp(picture, { density: 720 }).flatten({ background: '#ffffff' }).greyscale().raw()
  const { data, info } = await drawn.toBuffer({ resolveWithObject: true })
  const { width, channels } = info
  const isDark = (x: number, y: number) => (data[(y * width + x) * channels] ?? 255) < 128
  const first = Array.from({ length: width * width }, (_, at) => at).find((at) =>
    isDark(at % width, Math.floor(at / width)),
  )
  if (first === undefined) throw new Error('nothing is drawn')
  const [x, y] = [first % width, Math.floor(first / width)]
  let edge = 0
  while (isDark(x + edge, y)) edge++
  const span = Array.from({ length: width }, (_, at) => at).findLastIndex((at) => isDark(at, y)) - x + 1
  const version = Math.round(((span / edge) * FINDER - 17) / 4)
  const size = 17 + 4 * version
  const side = span / size
  const quietZone = Math.round(x / side)
  const across = size + 2 * quietZone
  if (Math.abs(width / side - across) > 0.5) throw new Error('it is not in the middle')
  const middle = (place: number) => Math.floor(((place + 0.5) * width) / across)
  const all = Array.from({ length: across }, (_, row) =>
    Array.from({ length: across }, (_, column) => isDark(middle(column), middle(row))),
  )
  const inside = (place: number) => place >= quietZone && place < across - quietZone
  if (all.some((line, row) => line.some((is, column) => is && !(inside(row) && inside(column)))))
    throw new Error('the quiet zone is not light')
  return {
    dark: all.filter((_, row) => inside(row)).map((line) => line.filter((_, column) => inside(column))),
    quietZone,
  }
}

const versionOf = (dark: Modules): number => (dark.length - 17) / 4
const bit = (dark: Modules, row: number, column: number): number => (dark[row]?.[column] ? 1 : 0)

const FORMAT_MASK = 0b101010000010010

/** The level and the number of the mask, from beside the upper left corner. */
function formatOf(dark: Modules): { level: string; mask: number } {
  const along = [0, 1, 2, 3, 4, 5, 7, 8]
  const places = [
    ...along.map((column) => [8, column]),
    ...along
      .toReversed()
      .slice(1)
      .map((row) => [row, 8]),
  ]
  const format = places.reduce((bits, [row = 0, column = 0]) => (bits << 1) | bit(dark, row, column), 0) ^ FORMAT_MASK
  return { level: 'MLHQ'[format >> 13] ?? '', mask: (format >> 10) & 0b111 }
}

const masks: ((row: number, column: number) => number)[] = [
  (row, column) => (row + column) % 2,
  (row) => row % 2,
  (_, column) => column % 3,
  (row, column) => (row + column) % 3,
  (row, column) => (Math.floor(row / 2) + Math.floor(column / 3)) % 2,
  (row, column) => ((row * column) % 2) + ((row * column) % 3),
  (row, column) => (((row * column) % 2) + ((row * column) % 3)) % 2,
  (row, column) => (((row + column) % 2) + ((row * column) % 3)) % 2,
]

/** The words in their order: two columns at a time from the right, upwards and downwards in turn. */
function codewordsIn(dark: Modules, mask: number): number[] {
  const size = dark.length
  const isInverted = (row: number, column: number) => masks[mask]?.(row, column) === 0
  const bits: number[] = []
  let isUpward = true
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right = 5
    for (let step = 0; step < size; step++) {
      const row = isUpward ? size - 1 - step : step
      for (const column of [right, right - 1])
        if (!isPattern(size, row, column)) bits.push(bit(dark, row, column) ^ (isInverted(row, column) ? 1 : 0))
    }
    isUpward = !isUpward
  }
  return Array.from({ length: Math.floor(bits.length / 8) }, (_, word) => numberOf(bits.slice(word * 8, word * 8 + 8)))
}

/** Corners with the format beside them, timing, and the one alignment pattern. */
function isPattern(size: number, row: number, column: number): boolean {
  const far = size - 8
  const isCorner = (row < 9 && column < 9) || (row < 9 && column >= far) || (row >= far && column < 9)
  const isAlignment = size > 21 && Math.abs(row - (size - 7)) <= 2 && Math.abs(column - (size - 7)) <= 2
  return isCorner || isAlignment || row === 6 || column === 6
}

const numberOf = (bits: number[]): number => bits.reduce((number, each) => (number << 1) | each, 0)

/** Of each version at level M: blocks, and words of data in each. */
const blocksOf = [
  [1, 16],
  [1, 28],
  [1, 44],
  [2, 32],
  [2, 43],
  [4, 27],
] as const

/** The words of data, of which one of each block follows the other. */
function blocksIn(words: number[], version: number): number[] {
  const [blocks, each] = blocksOf[version - 1] ?? [0, 0]
  return Array.from({ length: blocks }, (_, block) =>
    Array.from({ length: each }, (_, place) => words[place * blocks + block] ?? 0),
  ).flat()
}

const BYTES = 0b0100

/** The text of data that is one run of bytes. */
function textIn(data: number[]): string {
  const bits = data.flatMap((word) => Array.from({ length: 8 }, (_, place) => (word >> (7 - place)) & 1))
  if (numberOf(bits.slice(0, 4)) !== BYTES) throw new Error('it is not written as bytes')
  const length = numberOf(bits.slice(4, 12))
  const bytes = Array.from({ length }, (_, at) => numberOf(bits.slice(12 + at * 8, 20 + at * 8)))
  return Buffer.from(bytes).toString()
}
