import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import { withoutTexts } from './png.ts'

const chunk = (type: string, content: Buffer<ArrayBufferLike>) => {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(content.length)
  head.write(type, 4, 'latin1')
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(Buffer.concat([head.subarray(4), content])))
  return Buffer.concat([head, content, sum])
}
/** After the header, which takes 33 bytes with the signature. */
const withChunks = (png: Buffer<ArrayBufferLike>, ...chunks: Buffer<ArrayBufferLike>[]) =>
  Buffer.concat([png.subarray(0, 33), ...chunks, png.subarray(33)])

const profile = (bytes: number) => Buffer.concat([Buffer.from('profile\0\0'), deflateSync(Buffer.alloc(bytes))])

let png: Buffer<ArrayBufferLike>
beforeAll(async () => {
  png = await sharp({ create: { width: 40, height: 30, channels: 4, background: '#0C5C5A80' } })
    .png()
    .toBuffer()
})

test.each(['tEXt', 'zTXt', 'iTXt', 'eXIf', 'unKn'])('a %s chunk is left out', (type) => {
  const bare = withoutTexts(png)
  expect(withoutTexts(withChunks(png, chunk(type, Buffer.from('Comment\0\0text'))))).toEqual(bare)
})

test('a small colour profile stays, one that unfolds to megabytes does not, nor one that is broken', () => {
  const small = withChunks(withoutTexts(png), chunk('iCCP', profile(3_000)))
  expect(withoutTexts(small)).toEqual(small)
  const large = withChunks(withoutTexts(png), chunk('iCCP', profile(5 * 1024 * 1024)))
  expect(withoutTexts(large)).toEqual(withoutTexts(png))
  const broken = withChunks(withoutTexts(png), chunk('iCCP', Buffer.from('no profile at all')))
  expect(withoutTexts(broken)).toEqual(withoutTexts(png))
})

test('the picture is the same without them', async () => {
  const { data, info } = await sharp(withoutTexts(withChunks(png, chunk('tEXt', Buffer.from('a\0b')))))
    .raw()
    .toBuffer({ resolveWithObject: true })
  expect(info).toMatchObject({ width: 40, height: 30, channels: 4 })
  expect(data).toEqual(await sharp(png).raw().toBuffer())
})

test.each([0, 7, 8, 20, 33, 40, 60])('a file that is cut after %i bytes is read to its end and no further', (bytes) => {
  const cut = withoutTexts(png.subarray(0, bytes))
  expect(cut.length).toBeLessThanOrEqual(Math.max(8, bytes))
})

test('a length that points beyond the file ends it', () => {
  const lying = Buffer.from(png)
  lying.writeUInt32BE(0xffffffff, 33)
  expect(withoutTexts(lying)).toEqual(png.subarray(0, 33))
})
