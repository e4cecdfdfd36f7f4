import { instantAt, wallTimeOf } from '../../wall-clock.ts'
import type { Publication } from '../queries.ts'
import type { SendChoice } from './when-field.tsx'

const keyOf = (publicationId: string) => `when ${publicationId}`

/** Keeps when a draft is to go out while this tab is open: whoever goes back to write finds it again. */
export const keepChoice = (publicationId: string, choice: SendChoice): void =>
  sessionStorage.setItem(keyOf(publicationId), JSON.stringify(choice))

/** What was kept before in this tab; null when that was nothing, or when it is no draft any more. */
export function keptChoice({ id, status }: Pick<Publication, 'id' | 'status'>): SendChoice | null {
  const kept = status === 'draft' ? sessionStorage.getItem(keyOf(id)) : null
  return kept === null ? null : (JSON.parse(kept) as SendChoice)
}

/** When it would go out by what was kept, as an ISO 8601 instant. Undefined: no time was chosen, or it is over. */
export function keptTime(publication: Pick<Publication, 'id' | 'status'>, timezone: string): string | undefined {
  const kept = keptChoice(publication)
  const isOver = kept?.kind !== 'at' || kept.wall.date < wallTimeOf(new Date(), timezone).date
  return isOver ? undefined : instantAt(kept.wall, timezone)?.instant.toISOString()
}
