import { ActionIcon, NumberInput, Select, TextInput } from '@mantine/core'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { SegmentStatus } from '../../server/segments/filter/contract.ts'
import { paces } from '../../server/subscribers/contract.ts'
import { usePlanChoices } from '../charge/plan-choices.ts'
import { useFormat } from '../format.ts'
import { useLanguageChoices } from '../language.ts'
import { useKept } from '../newsletters/use-kept.ts'
import { IconX } from '../ui/icons.ts'
import { shownTitle } from '../ui/shown-title.ts'
import {
  type ConditionDraft,
  fieldOf,
  isGone,
  newCondition,
  type Operand,
  type Operator,
  operandOf,
  operatorsOf,
  subjects,
} from './draft.ts'
import { useParts } from './parts.ts'
import classes from './segments.module.css'

interface Props {
  draft: ConditionDraft
  change: (draft: ConditionDraft) => void
  remove: () => void
  /** Whether it was added just now: it is to be filled in. */
  isNew: boolean
}

/** One condition as a sentence: what is asked about, how, and the value. */
export function ConditionRow({ draft, change, remove, isNew }: Props) {
  const { t } = useTranslation()
  const { fields } = useParts()
  const operand = operandOf(draft, fields)
  const kept = useKept()
  const who = whoOf(draft.subject)
  const about = subjectChoices(t, draft.subject, fields).filter(({ value }) => {
    const whose = whoOf(value)
    return value === draft.subject || whose === null || kept[whose].isKept
  })
  const operators = operatorsOf(draft.subject, fields)
  const ops = operators.map((value) => ({ value, label: opLabel(t, draft.subject, value) }))
  return (
    <div className={classes.condition}>
      <Select
        aria-label={t('segments.about')}
        autoFocus={isNew}
        data={about}
        value={draft.subject}
        error={isGone(draft.subject, fields)}
        allowDeselect={false}
        searchable
        onChange={(subject) => subject && change({ ...newCondition(subject, fields), id: draft.id })}
      />
      <Select
        aria-label={t('segments.how')}
        data={ops}
        value={draft.op}
        allowDeselect={false}
        onChange={(op) => {
          if (!op) return
          const next = { ...draft, op }
          change(operandOf(next, fields) === operand ? next : { ...next, value: '', to: '' })
        }}
      />
      {operand !== 'none' && (
        <Value operand={operand} draft={draft} value={draft.value} change={(value) => change({ ...draft, value })} />
      )}
      {draft.op === 'between' && (
        <>
          <span>{t('segments.and')}</span>
          <Value operand={operand} draft={draft} value={draft.to} change={(to) => change({ ...draft, to })} />
        </>
      )}
      {operand === 'days' && <span>{t('segments.days')}</span>}
      {who && <Knowledge of={who} />}
      <ActionIcon
        className={classes.remove}
        variant="subtle"
        color="gray"
        aria-label={t('segments.removeCondition')}
        onClick={remove}
      >
        <IconX size={15} stroke={1.6} aria-hidden="true" />
      </ActionIcon>
    </div>
  )
}

/** Of whose behaviour a subject asks about; null where it asks about none. */
function whoOf(subject: string) {
  if (subject === 'opened') return 'openers'
  return subject === 'clicked' || subject === 'link' ? 'clickers' : null
}

/** Says what is not known of a behaviour: who did it before then also fits “has not”. */
function Knowledge({ of: who }: { of: 'openers' | 'clickers' }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { isKept, since } = useKept()[who]
  if (isKept && since === null) return null
  return (
    <span role="note">
      {isKept ? t(`segments.keptSince.${who}`, { day: format.dayOfYear(since) }) : t(`segments.notKept.${who}`)}
    </span>
  )
}

type Fields = ReturnType<typeof useParts>['fields']

function subjectChoices(t: TFunction, chosen: string, fields: Fields) {
  const known = subjects.map((value) => ({ value: value as string, label: t(`segments.subject.${value}`) }))
  const custom = fields.map(({ key, label }) => ({ value: `field:${key}`, label }))
  return withUnknown(
    [...known, ...custom],
    chosen,
    t('segments.goneField', { key: fieldOf(chosen, fields)?.label ?? chosen }),
  )
}

/** Behaviour is told with verbs of its own: “opened the publication”. */
function opLabel(t: TFunction, subject: string, op: Operator): string {
  switch (op) {
    case 'did':
    case 'did_not':
      return subject === 'link' ? t(`segments.didLink.${op}`) : t(`segments.did.${op}`)
    case 'did_days':
    case 'did_not_days':
      return t(`segments.did.${op}`)
    default:
      return t(`segments.op.${op}`)
  }
}

interface Choice {
  value: string
  label: string
}

/** What was chosen and is gone by now stays to be seen. */
const withUnknown = (choices: Choice[], value: string, label: string): Choice[] =>
  value === '' || choices.some((choice) => choice.value === value) ? choices : [...choices, { value, label }]

interface ValueProps {
  operand: Operand
  draft: ConditionDraft
  value: string
  change: (value: string) => void
}

function Value({ operand, draft, value, change }: ValueProps) {
  const { t } = useTranslation()
  const label = t('segments.value')
  const choices = useChoices(operand, draft)
  if (choices) {
    return (
      <Select
        aria-label={label}
        className={classes.value}
        placeholder={t('segments.choose')}
        searchable
        allowDeselect={false}
        data={withUnknown(choices, value, t('segments.gone'))}
        value={value === '' ? null : value}
        onChange={(chosen) => change(chosen ?? '')}
        nothingFoundMessage={t('segments.nothing')}
      />
    )
  }
  if (operand === 'number' || operand === 'days') {
    return (
      <NumberInput
        aria-label={label}
        className={classes.number}
        hideControls
        value={value === '' ? '' : Number(value)}
        {...(operand === 'days' && { min: 1, max: 3650, allowDecimal: false })}
        onChange={(typed) => change(String(typed))}
      />
    )
  }
  return (
    <TextInput
      aria-label={label}
      className={operand === 'day' ? classes.day : classes.value}
      type={operand === 'day' ? 'date' : 'text'}
      maxLength={200}
      value={value}
      onChange={(event) => change(event.currentTarget.value)}
    />
  )
}

/** What there is to choose from, or null where the value is typed. */
function useChoices(operand: Operand, { subject }: ConditionDraft): Choice[] | null {
  const { t } = useTranslation()
  const languages = useLanguageChoices()
  const { fields, tags, publications, links, campaigns } = useParts()
  const plans = usePlanChoices()
  switch (operand) {
    case 'language':
      return languages
    case 'pace':
      return paces.map((value) => ({ value, label: t(`digests.pace.${value}`) }))
    case 'status':
      return SegmentStatus.options.map((value) => ({ value, label: t(`subscribers.state.${value}`) }))
    case 'tag':
      return tags.map(({ id, name }) => ({ value: String(id), label: name }))
    case 'plan':
      return [{ value: 'any', label: t('segments.anyPlan') }, ...plans]
    case 'publication':
      return publications.map(({ id, title }) => ({ value: id, label: shownTitle(title, t) }))
    case 'link':
      return links.map(({ id, target }) => ({ value: id, label: target.replace(/^https?:\/\//, '') }))
    case 'campaign':
      return campaigns.map(({ id, name }) => ({ value: id, label: name }))
    case 'choice':
      return (fieldOf(subject, fields)?.choices ?? []).map((value) => ({ value, label: value }))
    default:
      return null
  }
}
