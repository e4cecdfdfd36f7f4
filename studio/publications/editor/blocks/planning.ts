import { createContext } from 'react'

interface PlanningContext {
  /** When it would go out, as an ISO 8601 instant. Undefined: when it is scheduled, else now. */
  at: string | undefined
  /** Saves the text and goes on to pre-flight with this day chosen; null where nobody may. */
  plan: ((day: string) => void) | null
}

/** When a publication goes out. Views of blocks are drawn far from the editor. */
export const Planning = createContext<PlanningContext>({ at: undefined, plan: null })
