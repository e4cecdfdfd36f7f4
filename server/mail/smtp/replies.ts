/** One reply of a server (RFC 5321 section 4.2): its code, and the text of each line. */
export interface Reply {
  code: number
  lines: string[]
}

const MAX_LINE = 8_192
const MAX_REPLY = 65_536
const LF = 10
const CR = 13
const SPACE = 32
const HYPHEN = 45

/**
 * Reads replies from the bytes of a server, in whatever chunks they arrive. Keeps at most one unfinished line of 8 kB, and
 * the text of one reply of 64 kB.
 */
export class ReplyReader {
  #lines: string[] = []
  #code = 0
  #length = 0
  #unfinished: Buffer | null = null
  #kept = 0
  #unread = 0

  /** @param onReply gets each reply; when it returns false, the rest of the bytes is not read */
  constructor(private readonly onReply: (reply: Reply) => boolean) {}

  /** Whether bytes arrived after the last reply. */
  get hasMore(): boolean {
    return this.#unread > 0 || this.#kept > 0
  }

  /**
   * Reads the first `length` bytes of `chunk`, which may be reused afterwards.
   * @throws Error when they cannot be a reply
   */
  read(chunk: Buffer, length: number): void {
    for (let from = 0; from < length; ) {
      const at = chunk.indexOf(LF, from)
      const whole = at >= 0 && at < length
      const to = whole ? at + 1 : length
      this.#unread = length - to
      if (!whole) this.#keep(chunk, from, to)
      else if (!this.#lineOf(chunk, from, to)) return
      from = to
    }
  }

  #lineOf(chunk: Buffer, from: number, to: number): boolean {
    if (this.#kept === 0) return this.#line(chunk, from, to)
    const line = this.#keep(chunk, from, to)
    const length = this.#kept
    this.#kept = 0
    return this.#line(line, 0, length)
  }

  /** Adds to the unfinished line. @returns its buffer */
  #keep(chunk: Buffer, from: number, to: number): Buffer {
    if (this.#kept + to - from > MAX_LINE) throw new Error('The relay sent a line of more than 8 kB')
    this.#unfinished ??= Buffer.alloc(MAX_LINE)
    chunk.copy(this.#unfinished, this.#kept, from, to)
    this.#kept += to - from
    return this.#unfinished
  }

  #line(bytes: Buffer, from: number, to: number): boolean {
    let end = to - 1
    if (end > from && bytes[end - 1] === CR) end -= 1
    const code = codeAt(bytes, from, end)
    const separator = end > from + 3 ? bytes[from + 3] : SPACE
    const mixed = this.#lines.length > 0 && code !== this.#code
    if (code === 0 || mixed || (separator !== SPACE && separator !== HYPHEN)) {
      throw new Error(
        `The relay sent what is no reply: ${printable(bytes.toString('utf8', from, Math.min(end, from + 200)))}`,
      )
    }
    this.#lines.push(bytes.toString('utf8', Math.min(from + 4, end), end))
    this.#code = code
    this.#length += to - from
    if (this.#length > MAX_REPLY) throw new Error('The relay sent a reply of more than 64 kB')
    return separator === HYPHEN || this.#finish()
  }

  #finish(): boolean {
    const reply = { code: this.#code, lines: this.#lines }
    this.#lines = []
    this.#length = 0
    return this.onReply(reply)
  }
}

/** Zero when there is no code. */
function codeAt(bytes: Buffer, from: number, end: number): number {
  if (end - from < 3) return 0
  const first = (bytes[from] as number) - 48
  const second = (bytes[from + 1] as number) - 48
  const third = (bytes[from + 2] as number) - 48
  const known = first >= 2 && first <= 5 && second >= 0 && second <= 9 && third >= 0 && third <= 9
  return known ? first * 100 + second * 10 + third : 0
}

const repeated = /^[245]\.\d{1,3}\.\d{1,3}(?: +|$)/

/** The reply on one line, with its enhanced status code (RFC 2034) once and without unprintable characters. */
export function textOf({ code, lines }: Reply): string {
  const [first = '', ...more] = lines
  const text = more.length === 0 ? first : [first, ...more.map((line) => line.replace(repeated, ''))].join(' ')
  return printable(text === '' ? `${code}` : `${code} ${text}`)
}

/** Control characters, line ends, and characters that change the direction of the text after them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are replaced
const unprintable = /[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]+/g

/** A server's text, made safe for databases, logs, terminals and screens. */
export const printable = (text: string): string => text.replace(unprintable, ' ')
