import { codeOf, messageOf } from '../../start-error.ts'
import type { Outcome } from '../relay.ts'
import type { Credentials, RelayAddress } from './address.ts'
import { noOffers, type Offers, offersOf } from './offers.ts'
import { type Reply, textOf } from './replies.ts'
import { signIn } from './sign-in.ts'
import { type Limits, Wire } from './wire.ts'

/** A connection that is ready for mail. */
export interface Opened {
  wire: Wire
  offers: Offers
}

/** Why there is no connection: the relay cannot be reached now, or it refuses us. */
export type NotOpened = Extract<Outcome, { kind: 'unreachable' | 'refused' }>

class Refusal extends Error {}

const MAX_TICK_MS = 1_000

/** Connects, greets the relay, starts TLS and signs in. Never throws. */
export async function open(address: RelayAddress, name: string, limits: Limits): Promise<Opened | NotOpened> {
  let wire: Wire | null = null
  try {
    wire = new Wire(address, Math.min(MAX_TICK_MS, Math.min(...Object.values(limits)) / 4))
    accepted(await wire.greeting(limits))
    const offers = await negotiate(wire, address, { name, limits })
    if (address.credentials) await authenticate(wire, address.credentials, { methods: offers.signIn, limits })
    return { wire, offers }
  } catch (error) {
    wire?.leave()
    return notOpened(error, address.host)
  }
}

interface Greeting {
  name: string
  limits: Limits
}

async function negotiate(wire: Wire, address: RelayAddress, { name, limits }: Greeting): Promise<Offers> {
  const offers = await greet(wire, name, limits)
  if (address.secure || address.plain) return offers
  if (!offers.startTls) {
    if (address.requireTls) throw new Refusal('The relay offers no encryption, and a password is not sent without')
    return offers
  }
  const consent = await wire.ask('STARTTLS', 'answer STARTTLS', limits.opening)
  if (consent.code !== 220) throw new Refusal(`The relay offers STARTTLS and refuses it: ${textOf(consent)}`)
  // Bytes from before the handshake could come from anybody in between.
  if (wire.hasMore || wire.end) throw new Refusal('The relay said more than its consent to STARTTLS')
  await wire.secured(limits.opening)
  // Offers that were made in clear text do not count (RFC 3207 section 4.2).
  return greet(wire, name, limits)
}

async function greet(wire: Wire, name: string, { opening }: Limits): Promise<Offers> {
  const reply = await wire.ask(`EHLO ${name}`, 'answer our greeting', opening)
  if (reply.code < 400) return offersOf(accepted(reply).lines)
  if (reply.code === 421) accepted(reply)
  accepted(await wire.ask(`HELO ${name}`, 'answer our greeting', opening))
  return noOffers
}

function accepted(reply: Reply): Reply {
  if (reply.code >= 500) throw new Refusal(textOf(reply))
  if (reply.code >= 300) throw new Error(textOf(reply))
  return reply
}

interface SignIn {
  /** The mechanisms that the relay offers. */
  methods: Offers['signIn']
  limits: Limits
}

async function authenticate(wire: Wire, credentials: Credentials, { methods, limits }: SignIn): Promise<void> {
  const ask = (line: string) => wire.ask(line, 'answer our signing in', limits.opening)
  const refusal = await signIn(ask, methods, credentials).catch((error: Error) => {
    throw wire.end ? error : new Refusal(error.message)
  })
  if (refusal) accepted(refusal)
}

const certificateCodes = /CERT|SELF_SIGNED|UNABLE_TO_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH|HOSTNAME_MISMATCH/

function notOpened(error: unknown, host: string): NotOpened {
  const [code, message] = [String(codeOf(error)), messageOf(error)]
  if (error instanceof Refusal) return { kind: 'refused', text: message }
  // Node adds advice about its own command line after the semicolon.
  const [reason] = message.split(';')
  if (certificateCodes.test(code)) {
    return { kind: 'refused', text: `The certificate of ${host} cannot be trusted: ${reason}` }
  }
  if (/SSL|EPROTO|ERR_TLS/.test(code)) return { kind: 'refused', text: `TLS with ${host} failed: ${reasonOf(error)}` }
  return {
    kind: 'unreachable',
    text: error instanceof AggregateError ? error.errors.map(messageOf).join('; ') : message,
  }
}

/** OpenSSL's short reason, without the places in its source code. */
const reasonOf = (error: unknown): string =>
  error instanceof Error && 'reason' in error && typeof error.reason === 'string' ? error.reason : messageOf(error)
