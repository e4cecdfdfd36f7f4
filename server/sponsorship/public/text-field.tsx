import type { ReactNode } from 'react'

interface Props {
  name: string
  label: string
  /** Characters at most. */
  most: number
  typed?: string | undefined
  hint?: string
  /** What says that it is wrong; its id is the name with `-problem`. */
  problem: ReactNode
  required?: boolean
  /** Whether it has several lines. */
  lines?: boolean
  type?: 'text' | 'url'
}

/** A field of a form for sponsors, with its label and what is wrong with it. */
export function TextField({ name, label, most, typed = '', hint, problem, required, lines, type = 'text' }: Props) {
  const described = [hint ? `${name}-hint` : '', problem ? `${name}-problem` : ''].filter(Boolean).join(' ')
  const field = {
    className: 'field',
    id: name,
    name,
    maxLength: most,
    defaultValue: typed,
    required: required ?? false,
    ...(described && { 'aria-describedby': described }),
    ...(problem ? { 'aria-invalid': true } : {}),
  }
  return (
    <div>
      <label className="field-label" htmlFor={name}>
        {label}
      </label>
      {lines ? <textarea {...field} rows={5} /> : <input {...field} type={type} />}
      {hint ? (
        <p className="small" id={`${name}-hint`}>
          {hint}
        </p>
      ) : null}
      {problem}
    </div>
  )
}
