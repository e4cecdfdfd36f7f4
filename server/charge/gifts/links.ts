import { z } from 'zod'
import { isUuid } from '../../database/ids.ts'
import type { Sealer } from '../../http/sealing.ts'
import { languages } from '../../languages.ts'

/** How long a link that takes a gift works, and how long it proves that its mailbox is held, in milliseconds. */
const VALID_MS = 24 * 3_600_000
const FRESH_MS = 3_600_000

const Token = z.object({
  newsletterId: z.string(),
  giftId: z.string().refine(isUuid),
  /** As it was typed. */
  email: z.string(),
  language: z.enum(languages),
  at: z.number(),
})
type GiftLink = Omit<z.infer<typeof Token>, 'at'>

/** What the token of `/gift/{token}` says: which gift, and to whom the mail went. It is encrypted, so that no log has the address. */
export class GiftLinks {
  constructor(private readonly sealer: Sealer) {}

  make(link: GiftLink, now: Date): string {
    return this.sealer.seal('gift', JSON.stringify({ ...link, at: now.getTime() })).toString('base64url')
  }

  /** Null for what is no token, or is too old. */
  read(token: string, now: Date): (GiftLink & { fresh: boolean }) | null {
    const opened = this.#open(token)
    if (!opened) return null
    const age = now.getTime() - opened.at
    return age > VALID_MS ? null : { ...opened, fresh: age <= FRESH_MS }
  }

  #open(token: string): z.infer<typeof Token> | null {
    if (token.length > 1_200) return null
    try {
      return Token.parse(JSON.parse(this.sealer.open('gift', Buffer.from(token, 'base64url'))))
    } catch {
      return null
    }
  }
}
