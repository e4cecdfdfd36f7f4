import { type FormRulesRecord, type UseFormReturnType, useForm } from '@mantine/form'
import { useState } from 'react'
import { ApiError } from '../api.ts'

type Values = Record<string, unknown>

export interface ServerForm<V extends Values> {
  form: UseFormReturnType<V>
  /** The error that belongs to no field, or null. */
  error: unknown
  busy: boolean
  /** Sends the values. Field errors appear beside their fields, and the typed values stay. */
  submit: (event?: React.FormEvent<HTMLFormElement>) => void
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
  const { initialValues, validate } = options
  const form = useForm<V>({ initialValues, ...(validate && { validate }) })
  const [error, setError] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  const submit = form.onSubmit(async (values) => {
    setBusy(true)
    setError(null)
    try {
      await send(values)
    } catch (refusal) {
      const known = refusal instanceof ApiError ? fieldsOf(refusal, values) : {}
      form.setErrors(known)
      focusFirst(Object.keys(known), form)
      if (Object.keys(known).length === 0) setError(refusal)
    } finally {
      setBusy(false)
    }
  })
  return { form, error, busy, submit }
}

/** The server's errors for the fields of this form, by field; the first part of a path names the field. */
function fieldsOf(refusal: ApiError, values: object): Record<string, string> {
  const known = Object.entries(refusal.fields).map(
    ([path, sentence]) => [path.split('.')[0] ?? path, sentence] as const,
  )
  return Object.fromEntries(known.filter(([name]) => name in values))
}

function focusFirst<V extends Values>(names: string[], form: UseFormReturnType<V>): void {
  const first = names[0]
  if (first) form.getInputNode(first as never)?.focus()
}
