import { LRUCache } from 'lru-cache'
import { AppError } from '../errors.ts'
import { Limit, networkOf } from '../http/limits.ts'
import { page, type Route } from '../http/routes.ts'
import { type CoverInks, type CoverShape, coverShapeNames, coverSvg } from './cover.ts'
import { assetPath, pageFiles } from './files.ts'

const forever = 'public, max-age=31536000, immutable'

const hex = /^[0-9a-f]{6}$/i
const coverName = /^([\w-]{1,40})\.([0-9a-f]{6})-([0-9a-f]{6})-([0-9a-f]{6})\.(wide|tall|small)(\.night)?\.(svg|png)$/i

interface CoverPicture {
  /** The same seed always gives the same drawing. */
  seed: string
  inks: CoverInks
  shape: CoverShape
  /** SVG by default. Mail programs and other sites need PNG. */
  format?: 'svg' | 'png'
  /** Of a PNG, which cannot follow the reader's colour scheme as an SVG does. */
  time?: 'day' | 'night'
}

/** The address of a newsletter's drawn cover. The address holds all that the drawing depends on, so caches never expire it. */
export function coverAddress({ seed, inks, shape, format = 'svg', time = 'day' }: CoverPicture): string {
  const bare = [inks.accent, inks.wash, inks.accentNight].map((color) => color.slice(1).toLowerCase())
  if (!bare.every((color) => hex.test(color))) throw new Error('the colours of a cover must have the form #rrggbb')
  return `${assetPath}/cover/${seed}.${bare.join('-')}.${shape}${time === 'night' ? '.night' : ''}.${format}`
}

function drawn(name: string): { svg: string; format: string } | null {
  const match = coverName.exec(name)
  if (!match) return null
  const [, seed = '', accent, wash, accentNight, shape, atNight, format = 'svg'] = match
  const inks = { accent: `#${accent}`, wash: `#${wash}`, accentNight: `#${accentNight}` }
  const known = coverShapeNames.find((each) => each === shape?.toLowerCase()) ?? 'wide'
  const time = atNight ? 'night' : format === 'png' ? 'day' : 'auto'
  return { svg: coverSvg({ seed, inks, shape: known, time }), format }
}

/** sharp is loaded when somebody asks for the first picture. */
async function drawPng(svg: string): Promise<Buffer> {
  const { default: sharp } = await import('sharp')
  return sharp(Buffer.from(svg)).png({ palette: true, colours: 8, compressionLevel: 9 }).toBuffer()
}

/** Fonts and drawn covers. They are public, and what is behind one name never changes. */
export function pageRoutes(draw = drawPng): Route[] {
  // To draw one as PNG takes up to 2 seconds of a core. Mail programs and previews on other sites ask for PNG.
  const drawings = new Limit(20, 600)
  // One at a time, so that many requests for pictures do not slow down sending.
  let last: Promise<unknown> = Promise.resolve()
  const pictures = new LRUCache<string, Promise<Buffer>>({ max: 200 })
  const picture = async (name: string, svg: string, network: string): Promise<Buffer> => {
    const known = pictures.get(name)
    if (known) return known
    await drawings.take(network)
    const made = last.then(() => draw(svg))
    pictures.set(name, made)
    last = made.catch(() => pictures.delete(name))
    return made
  }
  return [
    page(`GET ${assetPath}/:file`, (request, reply) => {
      const font = pageFiles().fonts.get(request.params.file)
      if (!font) throw new AppError('not_found')
      return reply.headers({ 'content-type': 'font/woff2', 'cache-control': forever }).send(font)
    }),
    page(`GET ${assetPath}/cover/:name`, async (request, reply) => {
      const { name } = request.params
      const cover = drawn(name)
      if (!cover) throw new AppError('not_found')
      reply.header('cache-control', forever)
      if (cover.format === 'png')
        return reply.type('image/png').send(await picture(name, cover.svg, networkOf(request.ip)))
      // When somebody opens it as a page, only its own style applies.
      reply.header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
      return reply.type('image/svg+xml').send(cover.svg)
    }),
  ]
}
