import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Webhook } from './provider.ts'

/** The value of a JSON text; null for anything else. */
export function parseJson(text: Buffer | string): unknown {
  try {
    return JSON.parse(text.toString())
  } catch {
    return null
  }
}

/** HMAC-SHA-256. */
export const hmac = (key: string | Buffer, text: string | Buffer): Buffer =>
  createHmac('sha256', key).update(text).digest()

/** Compares in constant time, so that nobody learns where the two differ. */
export function isSame(given: Buffer, expected: Buffer): boolean {
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/** Whether a time, in seconds since 1970, is no further from now than this. */
export function isRecent(seconds: string, now: Date, withinSeconds: number): boolean {
  return /^\d{1,12}$/.test(seconds) && Math.abs(now.getTime() / 1000 - Number(seconds)) <= withinSeconds
}

/** Empty when there is no such header, or more than one. */
export const header = ({ headers }: Webhook, name: string): string => {
  const value = headers[name]
  return typeof value === 'string' ? value : ''
}
