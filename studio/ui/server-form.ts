import { type FormRulesRecord, type UseFormReturnType, useForm } from '@mantine/form'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../api.ts'
import { type Faults, faultsOf, faultsSeenIn, hasMarks, useFocusOnFault } from './faults.ts'

type Values = Record<string, unknown>

export interface ServerForm<V extends Values> {
  form: UseFormReturnType<V>
  /** What no field is marked with, or null. */
  error: unknown
  busy: boolean
  /** Whether leaving now would lose something. While it is sent, nothing would be. */
  isUnsaved: boolean
  /** Sends the values. What is wrong stands at its field, the first of which gets the focus; the typed values stay, and so does what is typed while it is sent. The form has `noValidate`. */
  submit: (event: React.FormEvent<HTMLFormElement>) => void
}

/**
 * A form that the server validates.
 *
 * @param send called on submit; an ApiError with fields marks those fields, any other error is shown by the form
 */
export function useServerForm<V extends Values>(
  options: { initialValues: V; validate?: FormRulesRecord<V> },
  send: (values: V) => Promise<unknown>,
): ServerForm<V> {
  const { t } = useTranslation()
  const { initialValues, validate } = options
  const ofLibrary = useForm<V>({
    initialValues,
    ...(validate && { validate }),
    // Not every kind of field says this of itself.
    enhanceGetInputProps: ({ inputProps }) => (inputProps.error ? { 'aria-invalid': true } : {}),
  })
  const sent = useRef<V | null>(null)
  const saysWhatIsSaved = useRef(false)
  const form = {
    ...ofLibrary,
    reset: () => {
      saysWhatIsSaved.current = true
      // What was typed since it was sent stays.
      if (!sent.current || sent.current === ofLibrary.getValues()) ofLibrary.reset()
    },
    resetDirty: (values?: V) => {
      saysWhatIsSaved.current = true
      ofLibrary.resetDirty(values)
    },
  }
  const element = useRef<HTMLFormElement>(null)
  const [refused, setRefused] = useState<unknown>(null)
  const [error, setError] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  const [tries, setTries] = useState(0)
  useFocusOnFault(element, tries)
  useEffect(() => {
    // A field that is not on screen cannot be marked.
    if (tries > 0 && refused && !hasMarks(element.current)) setError(refused)
  }, [tries, refused])
  const mark = (faults: Faults) => {
    form.setErrors(faults)
    setTries((before) => before + 1)
  }
  const attempt = async (values: V) => {
    setBusy(true)
    sent.current = values
    saysWhatIsSaved.current = false
    try {
      await send(values)
      // What was typed meanwhile is not saved yet.
      if (!saysWhatIsSaved.current) ofLibrary.resetDirty(values)
    } catch (refusal) {
      const { known, rest } = divided(faultsOf(refusal), values)
      const isMarked = Object.keys(known).length > 0
      const isSaid = isMarked && Object.keys(rest).length === 0
      setError(isSaid ? null : isMarked ? withFields(refusal, rest) : refusal)
      setRefused(refusal)
      mark(known)
    } finally {
      sent.current = null
      setBusy(false)
    }
  }
  const submit = (event: React.FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    element.current = event.currentTarget
    setError(null)
    setRefused(null)
    const seen = faultsSeenIn(event.currentTarget, t)
    if (!seen) return
    const isFit = Object.keys(seen).length === 0
    form.onSubmit(
      (values) => (isFit ? void attempt(values) : mark(seen)),
      (errors) => mark({ ...seen, ...(errors as Faults) }),
    )(event)
  }
  return { form, error, busy, isUnsaved: form.isDirty() && !busy, submit }
}

/** The server's faults for the fields of this form: by whole path, and by the first part of it that is the name of one. */
function divided(faults: Faults, values: object): { known: Faults; rest: Faults } {
  const known: Record<string, string> = {}
  const rest: Record<string, string> = {}
  for (const [path, sentence] of Object.entries(faults)) {
    const name = path.split('.').find((part) => part in values)
    if (name === undefined) rest[path] = sentence
    else Object.assign(known, { [path]: sentence, [name]: sentence })
  }
  return { known, rest }
}

const withFields = (refusal: unknown, fields: Faults): unknown =>
  refusal instanceof ApiError
    ? new ApiError(refusal.code, refusal.message, { ...refusal, fields: { ...fields } })
    : refusal
