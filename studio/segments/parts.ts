import { createContext, useContext } from 'react'
import type { z } from 'zod'
import type { OptInCampaign } from '../../server/campaigns/opt-in/contract.ts'
import type { ShortLink } from '../../server/links/contract.ts'
import type { Tag } from '../../server/segments/contract.ts'
import type { PublicationSummary } from '../publications/queries.ts'
import type { CustomField } from './draft.ts'

export interface Parts {
  fields: CustomField[]
  tags: z.infer<typeof Tag>[]
  publications: Pick<PublicationSummary, 'id' | 'title'>[]
  links: Pick<z.infer<typeof ShortLink>, 'id' | 'target'>[]
  campaigns: Pick<z.infer<typeof OptInCampaign>, 'id' | 'name'>[]
}

export const PartsContext = createContext<Parts>({ fields: [], tags: [], publications: [], links: [], campaigns: [] })

/** What conditions can name in the open newsletter. */
export const useParts = () => useContext(PartsContext)
