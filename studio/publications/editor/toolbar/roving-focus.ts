import { type RefObject, useEffect } from 'react'

const tools = (bar: HTMLElement) => [...bar.querySelectorAll<HTMLElement>('[data-tool]')]

/**
 * Makes a toolbar one stop of the Tab key (ARIA Authoring Practices, toolbar pattern). The arrow keys, Home and End move
 * between its controls; Escape calls `leave`.
 */
export function useRovingFocus(ref: RefObject<HTMLElement | null>, leave: () => void): void {
  useEffect(() => {
    const bar = ref.current
    if (!bar) return
    const stopAt = (target: HTMLElement | undefined) => {
      for (const tool of tools(bar)) tool.tabIndex = tool === target ? 0 : -1
    }
    const focused = (event: FocusEvent) => {
      if (event.target instanceof HTMLElement && 'tool' in event.target.dataset) stopAt(event.target)
    }
    const pressed = (event: KeyboardEvent) => {
      const all = tools(bar)
      const from = event.target instanceof HTMLElement ? all.indexOf(event.target) : -1
      if (from < 0) return
      if (event.key === 'Escape') return leave()
      const to = nextIndex(event.key, from, all.length)
      if (to === null) return
      event.preventDefault()
      all[to]?.focus()
    }
    stopAt(tools(bar)[0])
    bar.addEventListener('focusin', focused)
    bar.addEventListener('keydown', pressed)
    return () => {
      bar.removeEventListener('focusin', focused)
      bar.removeEventListener('keydown', pressed)
    }
  }, [ref, leave])
}

function nextIndex(key: string, from: number, count: number): number | null {
  const rightToLeft = document.documentElement.dir === 'rtl' ? -1 : 1
  if (key === 'ArrowRight') return (from + rightToLeft + count) % count
  if (key === 'ArrowLeft') return (from - rightToLeft + count) % count
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : null
}
