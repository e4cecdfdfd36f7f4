import { instantAt, wallTimeOf } from '../../wall-clock.ts'
import type { Publication } from '../queries.ts'
import type { SendChoice } from './when-field.tsx'

/** What was chosen, or a day for which a publication was begun, as `2026-11-23`: its hour is chosen in pre-flight. */
type Kept = SendChoice | { kind: 'day'; day: string }

const keyOf = (publicationId: string) => `when ${publicationId}`

/** Keeps when a draft is to go out while this tab is open: whoever goes back to write finds it again. */
export const keepChoice = (publicationId: string, choice: Kept): void =>
  sessionStorage.setItem(keyOf(publicationId), JSON.stringify(choice))

/** What was kept before in this tab; null when that was nothing, or when it is no draft any more. */
export function keptChoice({ id, status }: Pick<Publication, 'id' | 'status'>): Kept | null {
  const kept = status === 'draft' ? sessionStorage.getItem(keyOf(id)) : null
  return kept === null ? null : (JSON.parse(kept) as Kept)
}

/** When it would go out by what was kept, as an ISO 8601 instant: on a day without an hour at noon. Undefined: no day was chosen, or it is over. */
export function keptTime(publication: Pick<Publication, 'id' | 'status'>, timezone: string): string | undefined {
  const kept = keptChoice(publication)
  const wall = kept?.kind === 'day' ? { date: kept.day, time: '12:00' } : kept?.kind === 'at' ? kept.wall : null
  const isOver = !wall || wall.date < wallTimeOf(new Date(), timezone).date
  return isOver ? undefined : instantAt(wall, timezone)?.instant.toISOString()
}
