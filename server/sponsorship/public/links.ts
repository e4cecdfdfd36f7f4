import { z } from 'zod'
import { Currency } from '../../charge/currency.ts'
import { isUuid } from '../../database/ids.ts'
import { SealedLinks } from '../../http/sealed-links.ts'
import type { Sealer } from '../../http/sealing.ts'
import type { Signer } from '../../http/signing.ts'
import { languages } from '../../languages.ts'

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
})
export type SponsorRequest = z.infer<typeof Request>

/** The token of `/sponsor/confirm/{token}`: the whole request. It works for a day. */
export const requestLinks = (sealer: Sealer) =>
  new SealedLinks(sealer, { purpose: 'sponsor', says: Request, validMs: 24 * 3_600_000, longest: 6_000 })

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
