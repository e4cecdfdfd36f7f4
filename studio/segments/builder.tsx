import { ActionIcon, Button, Select } from '@mantine/core'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { segmentLimits } from '../../server/segments/filter/contract.ts'
import { IconPlus, IconX } from '../ui/icons.ts'
import { ConditionRow } from './condition-row.tsx'
import { type Draft, type GroupDraft, isGroup, newCondition, nextId, ways } from './draft.ts'
import { type Parts, PartsContext, useParts } from './parts.ts'
import classes from './segments.module.css'

interface BuilderProps {
  draft: GroupDraft
  parts: Parts
  change: (draft: GroupDraft) => void
}

/** Conditions in plain words, in groups of groups. */
export function FilterBuilder({ draft, parts, change }: BuilderProps) {
  return (
    <PartsContext value={parts}>
      <Group draft={draft} depth={1} change={change} remove={null} isNew={false} />
    </PartsContext>
  )
}

interface GroupProps {
  draft: GroupDraft
  depth: number
  change: (draft: GroupDraft) => void
  /** Null for the outermost group, which stays. */
  remove: (() => void) | null
  /** Whether it was added just now: its condition is to be filled in. */
  isNew: boolean
}

function Group({ draft, depth, change, remove, isNew }: GroupProps) {
  const { t } = useTranslation()
  const add = useRef<HTMLButtonElement>(null)
  const { fields } = useParts()
  const [added, setAdded] = useState(isNew ? draft.parts[0]?.id : undefined)
  const setPart = (part: Draft) =>
    change({ ...draft, parts: draft.parts.map((one) => (one.id === part.id ? part : one)) })
  const addPart = (part: Draft) => {
    setAdded(part.id)
    change({ ...draft, parts: [...draft.parts, part] })
  }
  const removePart = (id: number) => {
    change({ ...draft, parts: draft.parts.filter((one) => one.id !== id) })
    // The button that was pressed goes with its part, and the focus must be somewhere.
    add.current?.focus()
  }
  return (
    <fieldset className={classes.group} data-way={draft.way}>
      <legend>{t('segments.group', { depth })}</legend>
      <div className={classes.way}>
        <Select
          aria-label={t('segments.way')}
          data={ways.map((value) => ({ value, label: t(`segments.ways.${value}`) }))}
          value={draft.way}
          allowDeselect={false}
          onChange={(value) => value && change({ ...draft, way: value })}
        />
        <span>{t('segments.ofThese')}</span>
        {remove && (
          <ActionIcon
            className={classes.remove}
            variant="subtle"
            color="gray"
            aria-label={t('segments.removeGroup')}
            onClick={remove}
          >
            <IconX size={15} stroke={1.6} aria-hidden="true" />
          </ActionIcon>
        )}
      </div>
      {draft.parts.map((part) =>
        isGroup(part) ? (
          <Group
            key={part.id}
            draft={part}
            depth={depth + 1}
            change={setPart}
            remove={() => removePart(part.id)}
            isNew={part.id === added}
          />
        ) : (
          <ConditionRow
            key={part.id}
            draft={part}
            change={setPart}
            remove={() => removePart(part.id)}
            isNew={part.id === added}
          />
        ),
      )}
      <div className={classes.add}>
        <Button
          ref={add}
          size="xs"
          variant="subtle"
          leftSection={<IconPlus size={14} stroke={1.6} aria-hidden="true" />}
          onClick={() => addPart(newCondition('language', fields))}
        >
          {t('segments.addCondition')}
        </Button>
        {depth < segmentLimits.depth && (
          <Button
            size="xs"
            variant="subtle"
            leftSection={<IconPlus size={14} stroke={1.6} aria-hidden="true" />}
            onClick={() => addPart({ id: nextId(), way: 'any', parts: [newCondition('language', fields)] })}
          >
            {t('segments.addGroup')}
          </Button>
        )}
      </div>
    </fieldset>
  )
}
