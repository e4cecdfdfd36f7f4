import { inflateSync } from 'node:zlib'

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
/** What a picture consists of, still and moving; the other chunks describe it. PNG, third edition, section 11, and its section 4.6. */
const needed = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND', 'acTL', 'fcTL', 'fdAT', 'gAMA', 'cHRM', 'sRGB', 'cICP'])
/** A colour profile of a screen has a few kilobytes, that of a printer at most a few megabytes. */
const MAX_PROFILE = 4 * 1024 * 1024

export const isPng = (data: Buffer<ArrayBufferLike>): boolean => data.subarray(0, SIGNATURE.length).equals(SIGNATURE)

/**
 * A PNG without texts and other things that only describe it: a compressed text of a megabyte grows to a gigabyte as soon as a
 * decoder looks at it. A colour profile is kept when it is small. What follows a chunk that is cut is left out.
 *
 * @param data a PNG
 */
export function withoutTexts(data: Buffer<ArrayBufferLike>): Buffer {
  const kept: Buffer<ArrayBufferLike>[] = [SIGNATURE]
  // Length, type, content and checksum: PNG, third edition, section 5.3.
  for (let at = SIGNATURE.length; at + 12 <= data.length; ) {
    const length = data.readUInt32BE(at)
    const end = at + 12 + length
    const type = data.toString('latin1', at + 4, at + 8)
    if (end > data.length) break
    const content = data.subarray(at + 8, end - 4)
    if (needed.has(type) || (type === 'iCCP' && isSmallProfile(content))) kept.push(data.subarray(at, end))
    if (type === 'IEND') break
    at = end
  }
  return Buffer.concat(kept)
}

/** A name of up to 79 bytes, zero, the method (0) and the compressed profile: section 11.3.2.3. */
function isSmallProfile(content: Buffer<ArrayBufferLike>): boolean {
  const name = content.indexOf(0)
  if (name < 1 || name > 79 || content[name + 1] !== 0) return false
  try {
    inflateSync(content.subarray(name + 2), { maxOutputLength: MAX_PROFILE })
    return true
  } catch {
    return false
  }
}
