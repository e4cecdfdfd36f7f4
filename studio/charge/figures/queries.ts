import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { getChargeFigures } from '../../../server/charge/figures/contract.ts'
import { call } from '../../api.ts'

export type Figures = z.infer<typeof getChargeFigures.reply>
export type AskedFigures = z.input<typeof getChargeFigures.query>
export type Recurring = Figures['recurring']

/** The figures of a range. The last ones stay on screen while others load. */
export const figuresQuery = (newsletterId: string, asked: AskedFigures) =>
  queryOptions({
    queryKey: [newsletterId, 'charge', 'figures', asked],
    queryFn: () => call(getChargeFigures, { params: { newsletterId }, query: asked }),
    placeholderData: keepPreviousData,
  })
