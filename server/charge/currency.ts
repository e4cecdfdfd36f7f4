import { z } from 'zod'
import { currencies } from './money.ts'

/** Apart from the sums, so that a page which writes a sum loads no schemas. */
export const Currency = z.enum(currencies)
export type Currency = z.infer<typeof Currency>
