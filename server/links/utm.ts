import type { z } from 'zod'
import type { Utm } from './contract.ts'

const names = ['source', 'medium', 'campaign', 'term', 'content'] as const

/**
 * A target with UTM values as analytics programs read them (`utm_source`, …). Those that it had under the same names are replaced, and empty ones
 * take them away. Everything else of it stays as it is written.
 *
 * @param target an address that can be parsed
 */
export function withUtm(target: string, utm: z.output<typeof Utm>): string {
  const url = new URL(target)
  for (const name of names) {
    if (utm[name] === '') url.searchParams.delete(`utm_${name}`)
    else url.searchParams.set(`utm_${name}`, utm[name])
  }
  return url.href
}
