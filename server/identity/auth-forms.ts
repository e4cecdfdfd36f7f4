import { z } from 'zod'
import { AppError, type FieldFault } from '../errors.ts'
import { passwordFault } from './passwords.ts'

type Field = 'email' | 'password'

/** The fields that somebody fills in for each call of the library that has a form. */
const asked: Readonly<Record<string, readonly Field[]>> = {
  'POST /sign-up/email': ['email', 'password'],
  'POST /sign-in/email': ['email', 'password'],
  'POST /sign-in/magic-link': ['email'],
  'POST /request-password-reset': ['email'],
  'POST /send-verification-email': ['email'],
}

interface Given {
  email: string
  password: string
  name: string
}

/**
 * Refuses a form before the library reads it: the library would say that the request is wrong, but not which field. Nothing is said here that
 * depends on which accounts exist.
 *
 * @throws AppError invalid, with the sentence of each field
 */
export function refuseWrongFields(call: string, { email, password, name }: Given): void {
  const faults: Record<Field, FieldFault | null> = {
    email: emailFault(email),
    password:
      call === 'POST /sign-up/email' && password !== '' ? passwordFault(password, [email, name]) : missing(password),
  }
  const fields: Record<string, FieldFault> = {}
  for (const field of asked[call] ?? []) if (faults[field]) fields[field] = faults[field]
  if (Object.keys(fields).length > 0) throw new AppError('invalid', { fields })
}

const missing = (text: string): FieldFault | null => (text === '' ? 'required' : null)
const emailFault = (email: string): FieldFault | null =>
  missing(email) ?? (z.email().safeParse(email).success ? null : 'not_an_email')
