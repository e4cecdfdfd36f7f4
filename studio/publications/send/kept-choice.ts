import { z } from 'zod'
import { AudienceChoice } from '../../../server/segments/contract.ts'
import type { Publication } from '../queries.ts'
import type { SendChoice } from './when-field.tsx'

const Kept = z.object({ kind: z.enum(['now', 'at', 'web']), wall: z.object({ date: z.string(), time: z.string() }) })

const keyOf = (publicationId: string) => `when ${publicationId}`
const audienceKeyOf = (publicationId: string) => `to ${publicationId}`

/** Keeps when a draft is to go out while this tab is open: whoever goes back to write finds it again. */
export const keepChoice = (publicationId: string, choice: SendChoice): void =>
  sessionStorage.setItem(keyOf(publicationId), JSON.stringify(choice))

/** What was kept before in this tab; null when that was nothing, or when it is no draft any more. */
export function keptChoice({ id, status }: Pick<Publication, 'id' | 'status'>): SendChoice | null {
  const kept = status === 'draft' ? sessionStorage.getItem(keyOf(id)) : null
  return kept === null ? null : (Kept.safeParse(JSON.parse(kept)).data ?? null)
}

/** Keeps whom a draft is to go to while this tab is open: after a reload it must not be everybody. */
export const keepAudience = (publicationId: string, audience: AudienceChoice): void =>
  sessionStorage.setItem(audienceKeyOf(publicationId), JSON.stringify(audience))

/** Whom it was to go to by what was chosen in this tab; null when that was nothing, or when it is no draft any more. */
export function keptAudience({ id, status }: Pick<Publication, 'id' | 'status'>): AudienceChoice | null {
  const kept = status === 'draft' ? sessionStorage.getItem(audienceKeyOf(id)) : null
  return kept === null ? null : (AudienceChoice.safeParse(JSON.parse(kept)).data ?? null)
}
