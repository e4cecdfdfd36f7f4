import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Fact } from '../rules.ts'

/** A webhook as it came: what is signed are its bytes. */
export interface Webhook {
  headers: IncomingHttpHeaders
  raw: Buffer
}

/** What a webhook says about one copy, and how it names it. */
export interface ProviderEvent extends Fact {
  words: string
  /** As the relay was given them: newsletter, publication, subscriber. */
  names: Record<string, unknown>
  /** Where a provider tells no names. */
  messageId?: string | null
}

export interface Provider {
  /** Whether it was signed with this secret, and not too long ago. */
  isTrue(webhook: Webhook, secret: string, now: Date): boolean | Promise<boolean>
  /** Where a signature does not cover what is told: the part of it that is believed once. */
  once?(webhook: Webhook): string
  /** Nothing for what tells of no bounce and no complaint. */
  read(body: unknown): ProviderEvent[]
}

/** The body as JSON; null for anything else. */
export function jsonOf({ raw }: Pick<Webhook, 'raw'>): unknown {
  try {
    return JSON.parse(raw.toString('utf8'))
  } catch {
    return null
  }
}

export const hmac = (key: string | Buffer, text: string | Buffer): Buffer =>
  createHmac('sha256', key).update(text).digest()

/** Takes as long whatever differs. */
export function isSame(given: Buffer, expected: Buffer): boolean {
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/** Whether a time in seconds since 1970 is no further from now than this. */
export function isRecent(seconds: string, now: Date, withinSeconds: number): boolean {
  return /^\d{1,12}$/.test(seconds) && Math.abs(now.getTime() / 1000 - Number(seconds)) <= withinSeconds
}

export const header = ({ headers }: Webhook, name: string): string => {
  const value = headers[name]
  return typeof value === 'string' ? value : ''
}
