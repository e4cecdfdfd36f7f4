import type { ReactNode } from 'react'
import { type Language, locales } from '../../languages.ts'
import { wordsIn } from '../../publications/document/words-in.ts'
import type { Translate } from '../../translator.ts'

/** So many times more can be typed than fits: pasted text is refused with its words kept, and not cut unseen. */
export const ROOM = 4

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

interface Counted extends Pick<Counting, 'of' | 'most'> {
  /** With what the field begins. */
  begun: string
}

/** Who has no script sees by how much it was too long when the form comes back. */
export function counting(
  { t, language }: { t: Translate; language: Language },
  { of, most, begun }: Counted,
): Counting {
  const length = of === 'words' ? wordsIn(begun) : begun.trim().length
  const isOver = length > most
  const used = (count: string) => t(`sponsors.own.used.${of}`, { used: count, count: most })
  const over = (count: number) => t(`sponsors.own.over.${of}`, { count, over: '{over}' })
  return {
    ...{ of, most, isOver, used: used('{used}') },
    begins: isOver
      ? used(new Intl.NumberFormat(locales[language]).format(length))
      : t(`sponsors.own.most.${of}`, { count: most }),
    over: { one: over(1), other: over(2) },
  }
}

/** What is wrong with a form that comes back. It has the focus, so that nobody has to look for it. */
export function FormNote({ children }: { children: ReactNode }) {
  const focused = { tabIndex: -1, autoFocus: true }
  return (
    <p className="note note-problem" role="alert" {...focused}>
      {children}
    </p>
  )
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
