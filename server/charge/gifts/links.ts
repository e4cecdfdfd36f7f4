import { z } from 'zod'
import { isUuid } from '../../database/ids.ts'
import { SealedLinks } from '../../http/sealed-links.ts'
import type { Sealer } from '../../http/sealing.ts'
import { languages } from '../../languages.ts'

const says = z.object({
  newsletterId: z.string(),
  giftId: z.string().refine(isUuid),
  /** As it was typed. */
  email: z.string(),
  language: z.enum(languages),
})

/** The token of `/gift/{token}`: which gift, and to whom the mail went. It works for a day. */
export const giftLinks = (sealer: Sealer) =>
  new SealedLinks(sealer, { purpose: 'gift', says, validMs: 24 * 3_600_000, longest: 1_200 })

/** How long a link proves that its mailbox is held, in milliseconds. */
export const FRESH_MS = 3_600_000
