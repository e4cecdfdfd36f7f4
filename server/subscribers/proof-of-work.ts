import { createChallenge, randomInt, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { z } from 'zod'
import { type Config, isLoopback } from '../config.ts'
import type { Signer } from '../http/signing.ts'

/** A key is derived so many times to try one number. */
const ITERATIONS = 2_000
/** The number that is looked for. On average a browser tries the half of both, in four threads. */
const NUMBERS = { from: 400, to: 1_200 }
const VALID_MS = 20 * 60_000
const MAX_LENGTH = 4_000

const Payload = z.object({
  challenge: z.object({
    parameters: z.object({
      algorithm: z.string(),
      cost: z.int(),
      data: z.object({ newsletterId: z.string() }),
      expiresAt: z.number(),
      keyLength: z.int(),
      keyPrefix: z.string(),
      keySignature: z.string(),
      nonce: z.string(),
      salt: z.string(),
    }),
    signature: z.string(),
  }),
  solution: z.object({ counter: z.int().nonnegative(), derivedKey: z.string() }),
})

/** Browsers compute keys at addresses with https and on this machine only (W3C Secure Contexts). Elsewhere pressure asks for no proof. */
export const canComputeKeys = ({ publicUrl }: Pick<Config, 'publicUrl'>): boolean =>
  publicUrl.startsWith('https:') || isLoopback(publicUrl)

/**
 * Proofs of work in the form of ALTCHA: a browser tries numbers until a key that is derived from one begins as the challenge says.
 * Challenges are signed and stored nowhere. A proof is for one newsletter, and who takes it counts it, because it is right more than once.
 */
export class ProofsOfWork {
  readonly #secrets: { hmacSignatureSecret: string; hmacKeySignatureSecret: string }

  constructor(signer: Signer) {
    const secret = (of: string) => signer.mac('proof of work', of).toString('hex')
    this.#secrets = { hmacSignatureSecret: secret('challenge'), hmacKeySignatureSecret: secret('key') }
  }

  /** A new challenge, which takes a millisecond in a thread of its own. */
  challenge(newsletterId: string) {
    return createChallenge({
      algorithm: 'PBKDF2/SHA-256',
      cost: ITERATIONS,
      counter: randomInt(NUMBERS.to, NUMBERS.from),
      deriveKey,
      expiresAt: new Date(Date.now() + VALID_MS),
      data: { newsletterId },
      ...this.#secrets,
    })
  }

  /** What names a right proof for this newsletter, or null: it is none, it is for another, or its time is over. */
  async read(text: string, newsletterId: string): Promise<string | null> {
    const payload = payloadIn(text)
    if (payload?.challenge.parameters.data.newsletterId !== newsletterId) return null
    const { challenge, solution } = payload
    // What is no hexadecimal number throws.
    const { verified } = await verifySolution({ challenge, solution, deriveKey, ...this.#secrets }).catch(() => ({
      verified: false,
    }))
    return verified ? challenge.parameters.nonce : null
  }
}

function payloadIn(text: string): z.output<typeof Payload> | null {
  if (text === '' || text.length > MAX_LENGTH) return null
  try {
    const read = Payload.safeParse(JSON.parse(Buffer.from(text, 'base64').toString()))
    return read.success ? read.data : null
  } catch {
    return null
  }
}
