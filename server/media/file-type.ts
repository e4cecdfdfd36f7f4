import { isPng } from './png.ts'

export const isWebp = (head: Buffer): boolean =>
  head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === 'WEBP'

const accepted: readonly [name: string, looksSo: (head: Buffer) => boolean][] = [
  ['png', isPng],
  ['jpeg', (head) => head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff],
  ['gif', (head) => /^GIF8[79]a/.test(head.toString('latin1', 0, 6))],
  ['webp', isWebp],
  ['avif', (head) => /^ftypavi[fs]/.test(head.toString('latin1', 4, 12))],
]

/** Whether the first bytes of a file are those of an image that is accepted, whatever its name says. */
export const isAccepted = (file: Buffer): boolean => accepted.some(([, looksSo]) => looksSo(file))
