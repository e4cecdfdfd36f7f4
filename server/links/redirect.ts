import type { Config } from '../config.ts'
import type { Link } from './click.ts'
import { leadOn } from './lead-on.ts'
import { wholeAddress } from './leads-to.ts'
import { locationOf } from './link.ts'

/** Of every redirect: each is a click, and a target learns nothing of the address that led there. */
export const redirectHeaders = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
} as const

/** Where a link leads who followed it with this query, in ASCII. */
export const targetOf = (
  { id, target }: Link,
  query: Readonly<Record<string, unknown>>,
  { publicUrl }: Pick<Config, 'publicUrl'>,
): string => locationOf(leadOn(wholeAddress({ publicUrl }, target), { publicUrl, linkId: id, query }))
