import type { ReactNode } from 'react'
import type { Language } from '../languages.ts'
import { translator } from '../translator.ts'
import { EmailField, emailFault } from './email-field.tsx'
import { Honeypot } from './honeypot.tsx'

export type AddressProblem = 'email' | 'limit'

interface Props {
  language: Language
  /** What was typed before. */
  email?: string
  problem?: AddressProblem | undefined
  /** What is said after too many requests. */
  limit: string
  button: string
  /** Further fields, before the address. */
  children?: ReactNode
}

/** Asks for an address to which something is mailed. */
export function AddressForm({ language, email = '', problem, limit, button, children }: Props) {
  const t = translator(language)
  return (
    <form method="post" noValidate>
      {problem === 'limit' ? (
        <p className="note note-problem" role="alert">
          {limit}
        </p>
      ) : null}
      {children}
      <EmailField language={language} typed={email} problem={problem === 'email' ? 'email-problem' : null}>
        {problem === 'email' ? (
          <p className="field-problem" id="email-problem" role="alert">
            {emailFault(t, email)}
          </p>
        ) : null}
      </EmailField>
      <Honeypot language={language} />
      <p className="address-button">
        <button type="submit" className="button full-width-on-phones">
          {button}
        </button>
      </p>
    </form>
  )
}
