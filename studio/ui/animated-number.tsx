import { useReducedMotion } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import classes from './ui.module.css'

const COUNT_MS = 400

/** The headline figure of a page. When its value changes it counts up or down to the new one. */
export function AnimatedNumber({ value, format }: { value: number; format: (value: number) => string }) {
  const shown = useCounting(value)
  return <span className={classes.figure}>{format(shown)}</span>
}

function useCounting(value: number): number {
  const still = useReducedMotion()
  const [shown, setShown] = useState(value)
  const from = useRef(value)
  useEffect(() => {
    const start = from.current
    if (start === value) return
    let frame = 0
    const begun = performance.now()
    const step = (now: number) => {
      const part = still ? 1 : Math.min(1, (now - begun) / COUNT_MS)
      from.current = Math.round(start + (value - start) * part)
      setShown(from.current)
      if (part < 1) frame = requestAnimationFrame(step)
    }
    frame = requestAnimationFrame(step)
    return () => cancelAnimationFrame(frame)
  }, [value, still])
  return shown
}
