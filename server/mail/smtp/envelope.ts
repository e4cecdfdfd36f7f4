import { isAscii } from 'node:buffer'
import { domainToASCII } from 'node:url'
import type { Message, Outcome } from '../relay.ts'
import type { Offers } from './offers.ts'

/** The commands before a text, each with its line end. */
export interface Envelope {
  mail: string
  rcpt: string
}

type Answered = Extract<Outcome, { kind: 'answered' }>

const plainPath = /^[^\s<>"\p{Cc}]+$/u
const quotedPath = /^"(?:[^"\\\p{Cc}]|\\[\x20-\x7e])*"@[^\s<>"\p{Cc}]+$/u
const ascii = /^[\x20-\x7e]*$/

/** MAIL and RCPT for what this relay offers, or the answer that it would give if we asked. */
export function envelopeOf({ from, to, raw }: Message, offers: Offers): Envelope | Answered {
  if (offers.size > 0 && raw.length > offers.size) return tooLarge(raw.length, offers.size)
  const sender = from === '' ? '' : pathOf(from)
  const recipient = pathOf(to)
  if (sender === null) return answered('553 5.1.7', `“${from}” cannot be a sender’s address`, 'MAIL FROM')
  if (recipient === null) return answered('553 5.1.3', `“${to}” cannot be an address`, 'RCPT TO')
  let mail = `MAIL FROM:<${sender}>`
  if (offers.size >= 0) mail += ` SIZE=${raw.length}`
  const eightBit = !isAscii(raw)
  if (eightBit && !offers.eightBit) return answered('554 5.6.3', 'The relay takes no 8-bit text', 'DATA')
  if (eightBit) mail += ' BODY=8BITMIME'
  const international = !(ascii.test(sender) && ascii.test(recipient)) || (eightBit && !isAscii(headOf(raw)))
  if (international && !offers.utf8) return answered('553 5.6.7', 'The relay takes no address outside ASCII', 'RCPT TO')
  if (international) mail += ' SMTPUTF8'
  return { mail: `${mail}\r\n`, rcpt: `RCPT TO:<${recipient}>\r\n` }
}

/**
 * The address for the angle brackets, with its domain in ASCII when the local part is ASCII.
 * @returns null when it is no address
 */
function pathOf(address: string): string | null {
  if (address.length > 320 || !(plainPath.test(address) || quotedPath.test(address))) return null
  const at = address.lastIndexOf('@')
  const user = address.slice(0, at)
  if (ascii.test(address) || at < 0 || !ascii.test(user)) return address
  const domain = domainToASCII(address.slice(at + 1))
  return domain === '' ? null : `${user}@${domain}`
}

const tooLarge = (bytes: number, limit: number) =>
  answered('552 5.3.4', `The message has ${bytes} bytes and the relay takes ${limit}`, 'DATA')

const answered = (codes: string, why: string, command: Answered['command']): Answered => ({
  kind: 'answered',
  code: Number(codes.slice(0, 3)),
  text: `${codes} ${why}`,
  command,
})

function headOf(raw: Buffer): Buffer {
  const end = raw.indexOf('\r\n\r\n')
  return end < 0 ? raw : raw.subarray(0, end)
}

const DOT = 46
const LF = 10
const lineWithDot = Buffer.from('\n.')
const newline = Buffer.from('\r\n')

/**
 * The text in the form that follows DATA (RFC 5321 section 4.5.2), without the dot at the end. Lines that begin with a dot
 * get another one, and the last line gets its end. This includes a dot after a lone LF, which some servers read as a line
 * end.
 */
export function dotStuffed(raw: Buffer): Buffer {
  const ended = raw.length === 0 || (raw[raw.length - 1] === LF && raw[raw.length - 2] === 13)
  const clean = raw[0] !== DOT && raw.indexOf(lineWithDot) < 0
  if (clean && ended) return raw
  const parts: Buffer[] = []
  let from = 0
  for (let at = raw[0] === DOT ? 0 : afterLine(raw, 0); at >= 0; at = afterLine(raw, at)) {
    parts.push(raw.subarray(from, at), lineWithDot.subarray(1))
    from = at
  }
  parts.push(raw.subarray(from))
  if (!ended) parts.push(newline)
  return Buffer.concat(parts)
}

/** The start of the next line that begins with a dot, or -1. */
function afterLine(raw: Buffer, from: number): number {
  const at = raw.indexOf(lineWithDot, from)
  return at < 0 ? -1 : at + 1
}
