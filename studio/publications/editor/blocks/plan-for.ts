import { createContext } from 'react'

/** Saves the text and goes on to pre-flight with this day chosen; null where nobody may. Views of blocks are drawn far from the editor. */
export const PlanFor = createContext<((day: string) => void) | null>(null)
