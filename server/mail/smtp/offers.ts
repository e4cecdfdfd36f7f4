/** What a server says it can do, in answer to EHLO. */
export interface Offers {
  pipelining: boolean
  eightBit: boolean
  utf8: boolean
  startTls: boolean
  /** The most bytes of a message; 0: it says no limit, -1: it does not know SIZE (RFC 1870). */
  size: number
  /** Ways to sign in, in capitals. */
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

/** @param lines of the reply to EHLO; the first one is the server's name */
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
