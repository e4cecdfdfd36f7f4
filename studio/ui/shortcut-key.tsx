import { Kbd } from '@mantine/core'
import { shortcutLabel } from './shortcut.ts'
import classes from './ui.module.css'

interface Props {
  of: string
  className?: string | undefined
  /** Beside a name that says enough to those who hear it. */
  isSilent?: boolean
}

/** A shortcut beside what it does. A device without a keyboard shows none. */
export const ShortcutKey = ({ of, className = '', isSilent = false }: Props) => (
  <Kbd className={`${classes.keyboardOnly} ${className}`} aria-hidden={isSilent}>
    {shortcutLabel(of)}
  </Kbd>
)
