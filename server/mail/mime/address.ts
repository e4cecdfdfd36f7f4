import { domainToASCII } from 'node:url'

const USUAL = /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z0-9.-]+$/
/** What would end an address in a header or a command. Quotes may stand around a local part. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is left out
const HARMFUL = /[\x00-\x20\x7f-\xa0<>,;:()[\]\\\u2028\u2029]/g

/**
 * An address as envelope and headers carry it: the domain in ASCII (IDNA) and lower case, the local part as it is, in
 * UTF-8 where it is not ASCII (RFC 6531, SMTPUTF8).
 */
export function mailAddress(address: string): string {
  if (USUAL.test(address)) return address
  const clean = address.replaceAll(HARMFUL, '')
  const at = clean.lastIndexOf('@')
  const domain = clean.slice(at + 1)
  return `${clean.slice(0, at + 1)}${asciiDomain(domain)}`
}

/** A domain as DNS has it: lower case, and A-labels where it is not ASCII (RFC 5890). */
export const asciiDomain = (domain: string): string =>
  /^[a-z0-9.-]+$/.test(domain) ? domain : domainToASCII(domain) || domain.toLowerCase()

export const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1)

/** UTF-8 as a string of one byte a character. */
export const wireText = (text: string): string => Buffer.from(text).toString('latin1')
