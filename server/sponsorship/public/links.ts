import { z } from 'zod'
import { Currency } from '../../charge/money.ts'
import { isUuid } from '../../database/ids.ts'
import type { Sealer } from '../../http/sealing.ts'
import type { Signer } from '../../http/signing.ts'
import { languages } from '../../languages.ts'

/** How long somebody can take to confirm a request, in milliseconds. */
const VALID_MS = 24 * 3_600_000

const Request = z.object({
  newsletterId: z.string(),
  /** Of the booking that it becomes, so that confirming twice asks once. */
  bookingId: z.string().refine(isUuid),
  placementId: z.int(),
  day: z.iso.date(),
  currency: Currency,
  amount: z.int(),
  sponsor: z.string(),
  contact: z.string(),
  email: z.string(),
  message: z.string(),
  language: z.enum(languages),
  at: z.number(),
})
export type SponsorRequest = z.infer<typeof Request>

/** What the token of `/sponsor/confirm/{token}` says: the whole request, encrypted, so that nothing is stored before its address is proven. */
export class RequestLinks {
  constructor(private readonly sealer: Sealer) {}

  make(request: Omit<SponsorRequest, 'at'>, now: Date): string {
    return this.sealer.seal('sponsor', JSON.stringify({ ...request, at: now.getTime() })).toString('base64url')
  }

  /** Null for what is no token, or is too old. */
  read(token: string, now: Date): SponsorRequest | null {
    if (token.length > 6_000) return null
    try {
      const request = Request.parse(JSON.parse(this.sealer.open('sponsor', Buffer.from(token, 'base64url'))))
      return now.getTime() - request.at > VALID_MS ? null : request
    } catch {
      return null
    }
  }
}

interface Linked {
  newsletterId: string
  bookingId: string
  linkVersion: number
}

type Signing = { signer: Signer; config: { publicUrl: string } }
type Purpose = 'sponsor booking' | 'sponsor report'

const tokenOf = (signer: Signer, purpose: Purpose, { newsletterId, bookingId, linkVersion }: Linked): string =>
  signer.sign(purpose, `${newsletterId}~${bookingId}~${linkVersion}`)

/** Null for what we did not sign for this purpose. */
export function readToken(signer: Signer, purpose: Purpose, token: string): Linked | null {
  const [newsletterId = '', bookingId = '', version] = signer.open(purpose, token)?.split('~') ?? []
  return isUuid(bookingId) ? { newsletterId, bookingId, linkVersion: Number(version) } : null
}

/** The address of a sponsor's own page. Whoever has it acts for the sponsor, until the newsletter makes another. */
export const bookingAddress = ({ signer, config }: Signing, linked: Linked): string =>
  `${config.publicUrl}/booking/${tokenOf(signer, 'sponsor booking', linked)}`

/** The address of what came of a booking. Whoever has it reads, and nothing else, until the newsletter makes another. */
export const reportAddress = ({ signer, config }: Signing, linked: Linked): string =>
  `${config.publicUrl}/report/${tokenOf(signer, 'sponsor report', linked)}`
