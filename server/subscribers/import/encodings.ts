import { type Encoding, encodings } from './file/contract.ts'

/** The encoding with this name, or with one of its other names: `latin1` is windows-1252, `gbk` is read as gb18030. Null for what is none of ours. */
export function encodingNamed(label: string): Encoding | null {
  const name = label.trim().toLowerCase()
  return encodings.find((one) => one === name || one === standardName(name)) ?? null
}

/** The Encoding Standard decodes GBK as GB 18030, which has all of its characters. */
function standardName(label: string): string | null {
  try {
    const { encoding } = new TextDecoder(label)
    return encoding === 'gbk' ? 'gb18030' : encoding
  } catch {
    return null
  }
}
