import { z } from 'zod'
import { SealedLinks } from '../../http/sealed-links.ts'
import type { Sealer } from '../../http/sealing.ts'
import { languages } from '../../languages.ts'

const says = z.object({
  newsletterId: z.string(),
  campaignId: z.string(),
  /** As it was typed. */
  email: z.string(),
  language: z.enum(languages),
  shortLinkId: z.string(),
})

/** The token of the mail that somebody asked for who typed an address on the page of a campaign. It works for a week. */
export const typedLinks = (sealer: Sealer) =>
  new SealedLinks(sealer, { purpose: 'opt-in', says, validMs: 7 * 24 * 3_600_000, longest: 1_200 })
