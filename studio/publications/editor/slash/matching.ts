import { folded } from '../../../ui/folded.ts'
import type { InsertGroup } from '../blocks/insert-choices.ts'

const wordsOf = (text: string): string[] => folded(text).match(/[\p{L}\p{N}]+/gu) ?? []

/**
 * The choices that a query finds. Each of its words begins a word of the choice or of its group; accents and capitals do
 * not matter. An empty query finds everything. What begins with the query, word by word, comes first.
 */
export function matching(groups: InsertGroup[], query: string): InsertGroup[] {
  const asked = wordsOf(query)
  const begins = ({ label }: { label: string }) => wordsOf(label).join(' ').startsWith(asked.join(' '))
  const found = groups.flatMap((group) => {
    const choices = group.choices.filter(({ label }) => {
      const words = wordsOf(`${label} ${group.label}`)
      return asked.every((word) => words.some((each) => each.startsWith(word)))
    })
    return choices.length > 0 ? [{ ...group, choices: firstWhere(choices, begins) }] : []
  })
  return firstWhere(found, ({ choices }) => choices.some(begins))
}

const firstWhere = <T>(all: T[], is: (one: T) => boolean): T[] =>
  all.toSorted((one, other) => Number(is(other)) - Number(is(one)))
