import { Select, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Target } from '../../../server/subscribers/import/contract.ts'
import classes from './import.module.css'
import { choiceOf, simpleTargets, targetOf } from './targets.ts'

const kinds = ['text', 'number', 'date', 'yes_no'] as const

interface Props {
  /** The name of the column. */
  column: string
  target: Target
  fields: { key: string; label: string }[]
  onChange: (target: Target) => void
}

/** What one column becomes, and the name of the tag or field that it makes. */
export function TargetField({ column, target, fields, onChange }: Props) {
  const { t } = useTranslation()
  const named = <T extends string>(targets: readonly T[], label: (to: T) => string) =>
    targets.map((value) => ({ value, label: label(value) }))
  const data = [
    { value: 'skip', label: t('imports.target.skip') },
    { group: t('imports.columns.person'), items: named(simpleTargets.person, (to) => t(`imports.target.${to}`)) },
    { group: t('imports.columns.history'), items: named(simpleTargets.history, (to) => t(`imports.target.${to}`)) },
    {
      group: t('imports.columns.labels'),
      items: [
        ...named(['tags', 'tag', 'new_field'] as const, (to) => t(`imports.target.${to}`)),
        ...fields.map(({ key, label }) => ({
          value: `field:${key}`,
          label: t('imports.target.field', { name: label }),
        })),
      ],
    },
  ]
  return (
    <div className={classes.target}>
      <Select
        aria-label={t('imports.columns.becomesOf', { column })}
        data={data}
        value={choiceOf(target)}
        onChange={(choice) => onChange(targetOf(choice ?? 'skip', column))}
        allowDeselect={false}
        data-skipped={target.to === 'skip' || undefined}
      />
      {target.to === 'tag' && (
        <TextInput
          aria-label={t('imports.columns.tagOf', { column })}
          description={t('imports.columns.tagHint')}
          inputWrapperOrder={['input', 'description']}
          maxLength={60}
          value={target.tag}
          onChange={(event) => onChange({ ...target, tag: event.currentTarget.value })}
        />
      )}
      {target.to === 'pace' && <p className={classes.hint}>{t('imports.columns.paceHint')}</p>}
      {target.to === 'new_field' && (
        <>
          <TextInput
            aria-label={t('imports.columns.fieldOf', { column })}
            maxLength={60}
            value={target.label}
            onChange={(event) => onChange({ ...target, label: event.currentTarget.value })}
          />
          <Select
            aria-label={t('imports.columns.kindOf', { column })}
            data={kinds.map((kind) => ({ value: kind, label: t(`segments.labels.kinds.${kind}`) }))}
            value={target.kind}
            onChange={(kind) => kind && onChange({ ...target, kind })}
            allowDeselect={false}
          />
        </>
      )}
    </div>
  )
}
