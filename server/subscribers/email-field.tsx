import type { ReactNode } from 'react'
import type { Language } from '../languages.ts'
import { translator } from '../translator.ts'

interface EmailFieldProps {
  language: Language
  label?: string
  typed?: string
  /** The id of what says that the address is wrong. */
  problem?: string | null
  /** Whether somebody types here first once it is wrong. */
  takesFocus?: boolean
  children?: ReactNode
}

/** Where somebody types their address. What is wrong with it follows as `children`. */
export function EmailField({
  language,
  label,
  typed = '',
  problem = null,
  takesFocus = true,
  children,
}: EmailFieldProps) {
  const t = translator(language)
  return (
    <>
      <label className="field-label" htmlFor="email">
        {label ?? t('subscribers.page.email')}
      </label>
      <input
        className="field"
        id="email"
        type="email"
        name="email"
        autoComplete="email"
        maxLength={254}
        placeholder={t('subscribers.page.emailPlaceholder')}
        defaultValue={typed}
        required
        {...(problem !== null && { 'aria-invalid': true, 'aria-describedby': problem, autoFocus: takesFocus })}
      />
      {children}
    </>
  )
}
