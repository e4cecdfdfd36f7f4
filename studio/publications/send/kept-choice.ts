import type { SendChoice } from './when-field.tsx'

const keyOf = (publicationId: string) => `when ${publicationId}`

/** Keeps what was chosen in the pre-flight of a publication while this tab is open: whoever goes back to write finds it again. */
export const keepChoice = (publicationId: string, choice: SendChoice): void =>
  sessionStorage.setItem(keyOf(publicationId), JSON.stringify(choice))

/** What was chosen before in this tab; null when that was nothing. */
export function keptChoice(publicationId: string): SendChoice | null {
  const kept = sessionStorage.getItem(keyOf(publicationId))
  return kept === null ? null : (JSON.parse(kept) as SendChoice)
}
