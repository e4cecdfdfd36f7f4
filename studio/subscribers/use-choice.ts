import { useState } from 'react'
import type { Filters } from './use-list.ts'

/** Who is chosen for an act: some by name, or all who match the filters. */
export interface Choice {
  ids: ReadonlySet<string>
  all: boolean
}

const nobody: Choice = { ids: new Set(), all: false }

/** The subscribers who are chosen. Another filter chooses nobody: what is not seen is not meant. */
export function useChoice(filters: Filters) {
  const about = JSON.stringify(filters)
  const [kept, keep] = useState({ about, choice: nobody })
  const choice = kept.about === about ? kept.choice : nobody
  const choose = (next: Choice) => keep({ about, choice: next })
  return {
    choice,
    none: () => choose(nobody),
    all: () => choose({ ids: new Set(), all: true }),
    set: (ids: Iterable<string>) => choose({ ids: new Set(ids), all: false }),
    toggle: (id: string, shown: string[]) => {
      // Taking one out of all leaves those who are shown.
      const ids = new Set(choice.all ? shown : choice.ids)
      if (!ids.delete(id)) ids.add(id)
      choose({ ids, all: false })
    },
    has: (id: string) => choice.all || choice.ids.has(id),
  }
}

export type Chooser = ReturnType<typeof useChoice>
