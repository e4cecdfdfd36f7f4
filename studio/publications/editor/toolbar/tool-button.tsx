import { Tooltip } from '@mantine/core'
import { type ComponentProps, forwardRef, type ReactNode } from 'react'
import classes from './toolbar.module.css'
import { ariaShortcut, shortcutLabel } from './tools.ts'

interface Props extends Omit<ComponentProps<'button'>, 'ref'> {
  label: string
  shortcut?: string | undefined
  /** Absent for what is no state. */
  pressed?: boolean | undefined
  /** Stays in reach of the keyboard, and says that it does nothing now. */
  idle?: boolean | undefined
  wide?: boolean
  children: ReactNode
}

/** One control of the toolbar: a name, a tooltip with its shortcut, and whether it is on. */
export const ToolButton = forwardRef<HTMLButtonElement, Props>(
  ({ label, shortcut, pressed, idle, wide, children, onClick, className, ...rest }, ref) => (
    <Tooltip label={shortcut ? `${label}  ${shortcutLabel(shortcut)}` : label}>
      <button
        ref={ref}
        type="button"
        data-tool=""
        className={`${classes.tool} ${className ?? ''}`}
        data-wide={wide || undefined}
        aria-label={label}
        aria-pressed={pressed}
        aria-disabled={idle || undefined}
        aria-keyshortcuts={shortcut && ariaShortcut(shortcut)}
        // The selection stays in the text while a button is pressed.
        onMouseDown={(event) => event.preventDefault()}
        onClick={idle ? undefined : onClick}
        {...rest}
      >
        {children}
      </button>
    </Tooltip>
  ),
)
ToolButton.displayName = 'ToolButton'

export const iconProps = { size: 17, stroke: 1.6, 'aria-hidden': true } as const
