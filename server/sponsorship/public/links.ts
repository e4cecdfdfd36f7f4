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

const PURPOSE = 'sponsor booking'

/** The address of a sponsor's own page. Whoever has it acts for the sponsor, until the newsletter makes another. */
export const bookingAddress = (
  { signer, config }: { signer: Signer; config: { publicUrl: string } },
  { newsletterId, bookingId, linkVersion }: Linked,
): string => `${config.publicUrl}/booking/${signer.sign(PURPOSE, `${newsletterId}~${bookingId}~${linkVersion}`)}`

/** Null for what we did not sign. */
export function readBookingToken(signer: Signer, token: string): Linked | null {
  const [newsletterId = '', bookingId = '', version] = signer.open(PURPOSE, token)?.split('~') ?? []
  return isUuid(bookingId) ? { newsletterId, bookingId, linkVersion: Number(version) } : null
}
