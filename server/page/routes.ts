import { LRUCache } from 'lru-cache'
import sharp from 'sharp'
import { AppError } from '../errors.ts'
import { Limit, networkOf } from '../http/limits.ts'
import { page, type Route } from '../http/routes.ts'
import { type CoverInks, type CoverShape, coverShapes, coverSvg } from './cover.ts'
import { assetPath, pageFiles } from './files.ts'

const forever = 'public, max-age=31536000, immutable'

const hex = /^[0-9a-f]{6}$/i
const coverName = /^([\w-]{1,40})\.([0-9a-f]{6})-([0-9a-f]{6})-([0-9a-f]{6})\.(wide|tall|small)\.(svg|png)$/i

/** The address of a newsletter's drawn cover. The address says all there is to know, so it may be kept for ever. */
export function coverAddress(seed: string, inks: CoverInks, shape: CoverShape, format: 'svg' | 'png' = 'svg'): string {
  const bare = [inks.accent, inks.wash, inks.accentNight].map((color) => color.slice(1).toLowerCase())
  if (!bare.every((color) => hex.test(color))) throw new Error('a cover is drawn in colours of the form #rrggbb')
  return `${assetPath}/cover/${seed}.${bare.join('-')}.${shape}.${format}`
}

function drawn(name: string): { svg: string; format: string } | null {
  const match = coverName.exec(name)
  if (!match) return null
  const [, seed = '', accent, wash, accentNight, shape, format = 'svg'] = match
  const inks = { accent: `#${accent}`, wash: `#${wash}`, accentNight: `#${accentNight}` }
  const known = (Object.keys(coverShapes) as CoverShape[]).find((each) => each === shape?.toLowerCase()) ?? 'wide'
  return { svg: coverSvg(seed, inks, known, format === 'png' ? 'day' : 'auto'), format }
}

/** Fonts and drawn covers: public, never changing under one name. */
export function pageRoutes(): Route[] {
  // Each costs some 50 ms of a core to draw as PNG, which mail and previews on other sites ask for.
  const drawings = new Limit(20, 600)
  // One at a time: whoever asks for many must not keep the cores from those who send.
  let turn: Promise<unknown> = Promise.resolve()
  const pictures = new LRUCache<string, Promise<Buffer>>({ max: 200 })
  const picture = async (name: string, svg: string, network: string): Promise<Buffer> => {
    const known = pictures.get(name)
    if (known) return known
    await drawings.take(network)
    const made = turn.then(() =>
      sharp(Buffer.from(svg)).png({ palette: true, colours: 8, compressionLevel: 9 }).toBuffer(),
    )
    turn = made.catch(() => undefined)
    pictures.set(name, made)
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
      // Only its own style runs in it, should somebody open it as a page.
      reply.header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
      return reply.type('image/svg+xml').send(cover.svg)
    }),
  ]
}
