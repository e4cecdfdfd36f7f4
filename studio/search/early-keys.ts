import { useEffect, useState } from 'react'

/** What was typed before the field that it was meant for. */
interface Typed {
  text: string
  isEntered: boolean
}

export interface EarlyKeys {
  /** Begins to keep what is typed. Nothing else hears of it then. */
  keep(): void
  /** What was typed so far. From now on it goes where the focus is. */
  take(): Typed
}

/**
 * Keeps what is typed from when the palette is asked for until its field is there: its code may have to be downloaded first. Else those letters
 * would be shortcuts of the page, or text of a field in it.
 *
 * @param giveUp called when somebody leaves meanwhile, by Escape or by pointing at something else
 */
export function useEarlyKeys(giveUp: () => void): EarlyKeys {
  const [keys] = useState(() => earlyKeys(giveUp))
  useEffect(() => () => void keys.take(), [keys])
  return keys
}

function earlyKeys(giveUp: () => void): EarlyKeys {
  let kept: Typed = { text: '', isEntered: false }
  const take = () => {
    removeEventListener('keydown', pressed, { capture: true })
    removeEventListener('pointerdown', leave, { capture: true })
    const taken = kept
    kept = { text: '', isEntered: false }
    return taken
  }
  const leave = () => {
    take()
    giveUp()
  }
  const pressed = (event: KeyboardEvent) => {
    const isCommand = (event.ctrlKey || event.metaKey) && !event.getModifierState('AltGraph')
    if (isCommand || event.isComposing) return
    const next = kept.isEntered ? kept : after(kept, event.key)
    if (!next && event.key !== 'Escape') return
    event.preventDefault()
    event.stopImmediatePropagation()
    if (next) kept = next
    else leave()
  }
  return {
    keep() {
      addEventListener('keydown', pressed, { capture: true })
      addEventListener('pointerdown', leave, { capture: true })
    },
    take,
  }
}

/** Null for a key that changes nothing in a line of text. */
function after({ text }: Typed, key: string): Typed | null {
  const isEntered = key === 'Enter' && text.trim() !== ''
  if (key === 'Enter') return { text, isEntered }
  if (key === 'Backspace') return { text: text.slice(0, -1), isEntered }
  return [...key].length === 1 ? { text: text + key, isEntered } : null
}
