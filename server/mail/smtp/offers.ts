/** The extensions that a server lists in its answer to EHLO. */
export interface Offers {
  pipelining: boolean
  eightBit: boolean
  utf8: boolean
  startTls: boolean
  /** The largest message in bytes (RFC 1870). 0: it names no limit. -1: it does not offer SIZE. */
  size: number
  /** Mechanisms to sign in with, in capitals. */
  signIn: string[]
}

export const noOffers: Offers = {
  pipelining: false,
  eightBit: false,
  utf8: false,
  startTls: false,
  size: -1,
  signIn: [],
}

/** @param lines the reply to EHLO; its first line is the server's name */
export function offersOf([, ...lines]: string[]): Offers {
  const words = new Map(
    lines
      .map((line) =>
        line
          .trim()
          .toUpperCase()
          .split(/[\s=]+/),
      )
      .map(([name = '', ...rest]) => [name, rest]),
  )
  const size = words.get('SIZE')
  return {
    pipelining: words.has('PIPELINING'),
    eightBit: words.has('8BITMIME'),
    utf8: words.has('SMTPUTF8'),
    startTls: words.has('STARTTLS'),
    size: size ? Number(/^\d{1,15}$/.exec(size[0] ?? '')?.[0] ?? 0) : -1,
    signIn: words.get('AUTH') ?? [],
  }
}
