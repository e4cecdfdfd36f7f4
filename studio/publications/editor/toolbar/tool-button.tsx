import { Tooltip } from '@mantine/core'
import { type ComponentProps, forwardRef, type ReactNode } from 'react'
import { ariaShortcut, shortcutLabel } from '../../../ui/shortcut.ts'
import classes from './toolbar.module.css'

interface Props extends Omit<ComponentProps<'button'>, 'ref'> {
  label: string
  shortcut?: string | undefined
  /** Absent for a control without a state. */
  pressed?: boolean | undefined
  /** Would do nothing now. It can still get the focus, so that the keyboard reaches every control. */
  idle?: boolean | undefined
  wide?: boolean
  children: ReactNode
}

/** One control of the toolbar, with a tooltip that shows its name and shortcut. */
export const ToolButton = forwardRef<HTMLButtonElement, Props>(
  ({ label, shortcut, pressed, idle, wide, children, onClick, className, ...rest }, ref) => (
    // What the control has opened says what it is, and the tooltip would lie over it.
    <Tooltip
      label={shortcut ? `${label}  ${shortcutLabel(shortcut)}` : label}
      disabled={rest['aria-expanded'] === true || rest['aria-expanded'] === 'true'}
    >
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
        // Otherwise a click would move the focus out of the text and drop the selection.
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
