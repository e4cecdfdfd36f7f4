import { type FormRulesRecord, type UseFormReturnType, useForm } from '@mantine/form'
import { useState } from 'react'
import { ApiError } from '../api.ts'

type Values = Record<string, unknown>

export interface ServerForm<V extends Values> {
  form: UseFormReturnType<V>
  /** What the server refused as a whole, or null. */
  error: unknown
  busy: boolean
  /** Sends the values; field errors of the server land beside their fields, and everything typed stays. */
  submit: (event?: React.FormEvent<HTMLFormElement>) => void
}

/**
 * A form whose judge is the server.
 *
 * @param send what submitting does; an ApiError with fields marks those fields, any other error stands above the form.
 */
export function useServerForm<V extends Values>(
  options: { initialValues: V; validate?: FormRulesRecord<V> },
  send: (values: V) => Promise<unknown>,
): ServerForm<V> {
  const form = useForm<V>(options as { initialValues: V })
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

/** The server's sentences for the fields that this form has; the first part of a path names the field. */
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
