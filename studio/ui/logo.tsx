import { accentStyle } from '../newsletters/accent.ts'
import { initialOf } from './initial.ts'
import classes from './ui.module.css'

/** A roller above a stack of sheets. */
function Logo({ size = 20 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
      <rect x="2" y="2.5" width="20" height="5" rx="1" />
      <path d="M8.5 9.5h7v3.2h-7zM8.5 14.2h7v2.4h-7zM8.5 18.1h7v1.7h-7zM8.5 21.2h7v1h-7z" />
    </svg>
  )
}

export function Wordmark({ large = false }: { large?: boolean }) {
  return (
    <span className={classes.wordmark} data-large={large || undefined}>
      <Logo size={large ? 24 : 20} />
      Tirage
    </span>
  )
}

/** In hundredths of the tile. */
const letterSize = 64
/** Of the serif, in its own size. A line of text keeps room below for tails that capitals do not have. */
const capHeight = 0.66

/** The initial of a newsletter on its accent colour, its capital height in the middle. */
export function NewsletterInitial({ name, accent, size = 28 }: { name: string; accent: string; size?: number }) {
  return (
    <svg className={classes.initial} width={size} height={size} viewBox="0 0 100 100" aria-hidden="true">
      <rect width="100" height="100" fill={accentStyle(accent).accent} />
      <text x="50" y={50 + (letterSize * capHeight) / 2} fontSize={letterSize} fill="#fff" textAnchor="middle">
        {initialOf(name)}
      </text>
    </svg>
  )
}
