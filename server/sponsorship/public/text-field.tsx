import type { ReactNode } from 'react'

/** How long something may be. The page says it once; a script counts while somebody types. */
export interface Counting {
  of: 'words' | 'characters'
  most: number
  /** `40 characters at most`, or what was sent and is too long: `43 of 40 characters`. */
  begins: string
  isOver: boolean
  /** `{used} of 40 characters` */
  used: string
  /** `{over} characters too many`, for one and for several. */
  over: { one: string; other: string }
}

interface Props {
  name: string
  label: string
  /** Characters at most that can be typed. */
  most: number
  typed?: string | undefined
  hint?: string
  /** What says that it is wrong; its id is the name with `-problem`. */
  problem: ReactNode
  required?: boolean
  /** Whether it has several lines. */
  lines?: boolean
  type?: 'text' | 'url'
  counting?: Counting
  /** What a script says of a web address that is none. */
  wrong?: string
}

/** A field of a form for sponsors, with its label and what is wrong with it. */
export function TextField({ name, label, most, typed = '', problem, required, type = 'text', ...props }: Props) {
  const { hint, lines, counting, wrong } = props
  const described = [hint ? `${name}-hint` : '', counting ? `${name}-count` : '', problem ? `${name}-problem` : '']
  const field = {
    className: 'field',
    id: name,
    name,
    maxLength: most,
    defaultValue: typed,
    required: required ?? false,
    ...(wrong !== undefined && { 'data-wrong': wrong }),
    ...(described.some(Boolean) && { 'aria-describedby': described.filter(Boolean).join(' ') }),
    ...(problem ? { 'aria-invalid': true } : {}),
  }
  return (
    <div>
      <div className="field-head">
        <label className="field-label" htmlFor={name}>
          {label}
        </label>
        {counting ? <Count name={name} counting={counting} /> : null}
      </div>
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

const Count = ({ name, counting: { of, most, begins, isOver, used, over } }: { name: string; counting: Counting }) => (
  <span
    className={isOver ? 'field-count field-count-over' : 'field-count'}
    id={`${name}-count`}
    data-count={of}
    data-field={name}
    data-most={most}
    data-used={used}
    data-over-one={over.one}
    data-over-other={over.other}
  >
    {begins}
  </span>
)
