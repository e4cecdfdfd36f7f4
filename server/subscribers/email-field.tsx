import type { ReactNode } from 'react'
import type { Language } from '../languages.ts'
import { type Translate, translator } from '../translator.ts'

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

/** What is wrong with an address that cannot be read, in words. */
export const emailFault = (t: Translate, typed: string): string =>
  t(typed.trim() === '' ? 'errors.fields.required' : 'subscribers.page.problem.email')

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
