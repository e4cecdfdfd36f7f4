import { createContext } from 'react'

interface PlanningContext {
  /** Saves the text and goes on to pre-flight with this day chosen; null where nobody may. */
  plan: ((day: string) => void) | null
}

/** How a day is planned for the publication. Views of blocks are drawn far from the editor. */
export const Planning = createContext<PlanningContext>({ plan: null })
