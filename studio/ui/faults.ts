import type { TFunction } from 'i18next'
import { type RefObject, useEffect } from 'react'
import { ApiError } from '../api.ts'

/** What is wrong with fields, by their path in what is sent, such as `words.fr.question`, each with its sentence. */
export type Faults = Readonly<Record<string, string>>

/** The fields that the server refused. */
export const faultsOf = (refusal: unknown): Faults => (refusal instanceof ApiError ? refusal.fields : {})

const marked = '[aria-invalid="true"]:not([disabled])'

/** Whether a field of this form is seen to be wrong. */
export const hasMarks = (form: HTMLFormElement | null): boolean => form?.querySelector(marked) != null

/** Puts the focus into the first field that is marked, each time the form was tried. */
export function useFocusOnFault(form: RefObject<HTMLFormElement | null>, tries: number): void {
  useEffect(() => {
    if (tries > 0) form.current?.querySelector<HTMLElement>(marked)?.focus()
  }, [form, tries])
}

/**
 * What the browser itself sees to be wrong in a form that has `noValidate`, in our words: its own would be in another language, and mark nothing.
 * Null when the browser has said it, because the field is none of the form's values.
 */
export function faultsSeenIn(form: HTMLFormElement, t: TFunction): Faults | null {
  const faults: Record<string, string> = {}
  for (const field of form.elements) {
    if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) || field.validity.valid) continue
    const { path } = field.dataset
    if (!path) {
      field.reportValidity()
      return null
    }
    faults[path] = t(`errors.fields.${faultOf(field)}`)
  }
  return faults
}

/** The fields in which something stands that is no value yet, such as half a day, by their `data-path`: read as empty it would be lost in silence. */
export function halfTypedIn(form: HTMLFormElement, t: TFunction): Faults {
  const inputs = [...form.elements].filter((field) => field instanceof HTMLInputElement)
  const half = inputs.filter(({ validity }) => validity.badInput)
  return Object.fromEntries(half.map(({ dataset }) => [dataset.path ?? '', t('errors.fields.wrong')]))
}

function faultOf({ validity, type, autocomplete }: HTMLInputElement | HTMLTextAreaElement) {
  if (validity.valueMissing) return 'required'
  if (validity.typeMismatch) return type === 'url' ? 'not_a_url' : 'not_an_email'
  if (validity.tooShort) return autocomplete === 'new-password' ? 'password_short' : 'too_short'
  if (validity.rangeUnderflow) return type === 'date' ? 'day_past' : 'too_small'
  if (validity.rangeOverflow) return type === 'number' ? 'too_large' : 'wrong'
  return 'wrong'
}
