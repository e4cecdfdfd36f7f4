import { z } from 'zod'
import type { Sealer } from '../../http/sealing.ts'
import { languages } from '../../languages.ts'

const VALID_MS = 7 * 24 * 3_600_000

const Token = z.object({
  newsletterId: z.string(),
  campaignId: z.string(),
  /** As it was typed. */
  email: z.string(),
  language: z.enum(languages),
  shortLinkId: z.string(),
  at: z.number(),
})
type TypedLink = Omit<z.infer<typeof Token>, 'at'>

/** What the token of a mail says that somebody asked for who typed an address. It is encrypted, so that no log has the address. */
export class TypedLinks {
  constructor(private readonly sealer: Sealer) {}

  make(link: TypedLink, now: Date): string {
    return this.sealer.seal('opt-in', JSON.stringify({ ...link, at: now.getTime() })).toString('base64url')
  }

  /** Null for what is no token, or is older than a week. */
  read(token: string, now: Date): (TypedLink & { askedAt: Date }) | null {
    if (token.length > 1_200) return null
    try {
      const opened = Token.parse(JSON.parse(this.sealer.open('opt-in', Buffer.from(token, 'base64url'))))
      return now.getTime() - opened.at > VALID_MS ? null : { ...opened, askedAt: new Date(opened.at) }
    } catch {
      return null
    }
  }
}
