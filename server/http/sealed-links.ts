import { z } from 'zod'
import type { Sealer } from './sealing.ts'

interface Kind<Shape extends z.ZodRawShape> {
  /** Of the sealer: a link for one opens nothing else. */
  purpose: string
  /** What the link says. The order of its fields is that in the token, so a new one comes last. */
  says: z.ZodObject<Shape>
  validMs: number
  /** Characters above which nothing is opened. */
  longest: number
}

/**
 * Links that carry what they are about, so that nothing is stored before an address is proven. It is encrypted: no log has the address.
 * Only values are written into the token, for a link in a mail should be short. It begins with `~`, by which the outbox knows it.
 */
export class SealedLinks<Shape extends z.ZodRawShape> {
  constructor(
    private readonly sealer: Sealer,
    private readonly kind: Kind<Shape>,
  ) {}

  make(link: z.input<z.ZodObject<Shape>>, now: Date): string {
    const said = { ...link, at: now.getTime() }
    const values = this.#names().map((name) => Reflect.get(said, name))
    return `~${this.sealer.seal(this.kind.purpose, JSON.stringify(values)).toString('base64url')}`
  }

  /** What it says, and when it was made. Null for what is no token of this kind, or is too old. */
  read(token: string, now: Date): (z.output<z.ZodObject<Shape>> & { madeAt: Date }) | null {
    const { purpose, says, validMs, longest } = this.kind
    if (token.length > longest) return null
    try {
      const opened = Opened.parse(
        JSON.parse(this.sealer.open(purpose, Buffer.from(token.replace(/^~/, ''), 'base64url'))),
      )
      const named = Array.isArray(opened)
        ? Object.fromEntries(this.#names().map((name, index) => [name, opened[index]]))
        : opened
      const madeAt = new Date(Made.parse(named).at)
      return now.getTime() - madeAt.getTime() > validMs ? null : { ...says.parse(named), madeAt }
    } catch {
      return null
    }
  }

  #names = (): string[] => ['at', ...Object.keys(this.kind.says.shape)]
}

/** Mails from before tokens were short have the names as well. */
const Opened = z.union([z.array(z.unknown()), z.looseObject({})])
const Made = z.object({ at: z.number() })
