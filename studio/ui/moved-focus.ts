import { useEffect } from 'react'

export type Way = 'up' | 'down'

interface Moved {
  id: number | string
  way: Way
}

/** The `id` of the button that moves something in a list. */
export const moveButtonId = (id: Moved['id'], way: Way): string => `move-${id}-${way}`

/**
 * The row of the button has moved, and with it what the keyboard was at. At an end of the list there is only the way back.
 * @param at where it is now: below 0 when it is gone
 */
export function useMovedFocus(moved: Moved | null, { at, count }: { at: number; count: number }): void {
  useEffect(() => {
    if (!moved || at < 0) return
    const isAtEnd = at === (moved.way === 'up' ? 0 : count - 1)
    const way = isAtEnd ? (moved.way === 'up' ? 'down' : 'up') : moved.way
    document.getElementById(moveButtonId(moved.id, way))?.focus()
  }, [moved, at, count])
}
