import { useEffect } from 'react'
import classes from './choice-list.module.css'
import type { Icon } from './icons.ts'

export interface Choice {
  key: string
  label: string
  /** What tells it apart from others of its name. */
  detail?: string | undefined
  icon: Icon
}

export interface ChoiceGroup<C extends Choice = Choice> {
  key: string
  label: string
  choices: C[]
}

interface Props<C extends Choice> {
  id: string
  label: string
  groups: ChoiceGroup<C>[]
  active: C | undefined
  point: (choice: C) => void
  choose: (choice: C) => void
  className?: string | undefined
}

/** The id of an option, for `aria-activedescendant` of what has the focus. */
export const optionId = (id: string, choice: Choice): string => `${id}-${choice.key}`

/** A list from which the keys of a field choose: the focus stays in the field (ARIA, listbox). */
export function ChoiceList<C extends Choice>({ id, label, groups, active, point, choose, className }: Props<C>) {
  const activeId = active && optionId(id, active)
  useEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' })
  }, [activeId])
  return (
    <div id={id} role="listbox" aria-label={label} className={`${classes.list} ${className ?? ''}`}>
      {groups.map((group) => (
        <fieldset key={group.key} className={classes.group} aria-label={group.label}>
          <span className={classes.groupName} aria-hidden="true">
            {group.label}
          </span>
          {group.choices.map((choice) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are pressed in the field, which keeps the focus
            // biome-ignore lint/a11y/useFocusableInteractive: as above, by aria-activedescendant
            <div
              key={choice.key}
              id={optionId(id, choice)}
              role="option"
              aria-selected={choice.key === active?.key}
              className={classes.option}
              // Otherwise a click would move the focus out of the field.
              onMouseDown={(event) => event.preventDefault()}
              onMouseMove={() => point(choice)}
              onClick={() => choose(choice)}
            >
              <choice.icon size={17} stroke={1.6} aria-hidden="true" />
              <span className={classes.name}>{choice.label}</span>
              {choice.detail && <small className={classes.detail}>{choice.detail}</small>}
            </div>
          ))}
        </fieldset>
      ))}
    </div>
  )
}
