import type { ComponentProps } from 'react'

interface Props extends ComponentProps<'button'> {
  /** Set by Mantine while what the button began is under way. */
  'data-loading'?: boolean | undefined
}

/**
 * The element of every button. While what it began is under way it keeps the focus, which a disabled one loses to the page, and a press does
 * nothing.
 */
export function PressButton({ disabled, type = 'button', onClick, ...rest }: Props) {
  const busy = rest['data-loading'] === true
  return (
    <button
      {...rest}
      type={type}
      disabled={disabled && !busy}
      aria-disabled={busy || rest['aria-disabled']}
      onClick={busy ? (event) => event.preventDefault() : onClick}
    />
  )
}
