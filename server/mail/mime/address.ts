import { domainToASCII } from 'node:url'

const USUAL = /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z0-9.-]+$/
/** Characters that could end an address in a header or a command. Quotes are allowed around a local part. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are removed
const HARMFUL = /[\x00-\x20\x7f-\xa0<>,;:()[\]\\\u2028\u2029]/g

/**
 * An address for the envelope and the headers. The domain is ASCII (IDNA) in lower case. The local part is unchanged, and
 * UTF-8 when it is not ASCII (RFC 6531, SMTPUTF8).
 */
export function mailAddress(address: string): string {
  if (USUAL.test(address)) return address
  const clean = address.replaceAll(HARMFUL, '')
  const at = clean.lastIndexOf('@')
  const domain = clean.slice(at + 1)
  return `${clean.slice(0, at + 1)}${asciiDomain(domain)}`
}

/** A domain in the form that DNS uses: lower case, with A-labels instead of other letters than ASCII (RFC 5890). */
export const asciiDomain = (domain: string): string =>
  /^[a-z0-9.-]+$/.test(domain) ? domain : domainToASCII(domain) || domain.toLowerCase()

export const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1)

/** The UTF-8 bytes of a text, as a string of one byte a character. */
export const wireText = (text: string): string => Buffer.from(text).toString('latin1')
