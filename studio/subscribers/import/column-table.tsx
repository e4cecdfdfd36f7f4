import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Sheet, Target } from '../../../server/subscribers/import/contract.ts'
import { useFormat } from '../../format.ts'
import { fieldsQuery } from '../../segments/queries.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import classes from './import.module.css'
import { TargetField } from './target-field.tsx'

interface Props {
  sheet: Sheet
  targets: Target[]
  onChange: (targets: Target[]) => void
}

/** The columns of a file, each with an example and what it becomes. */
export function ColumnTable({ sheet, targets, onChange }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const { id } = useNewsletter()
  const { data: fields = [] } = useQuery(fieldsQuery(id))
  return (
    <>
      <table className={classes.mapping}>
        <thead>
          <tr>
            <th>{t('imports.columns.name')}</th>
            <th>{t('imports.columns.example')}</th>
            <th>{t('imports.columns.becomes')}</th>
            <th>{t('imports.columns.filled')}</th>
          </tr>
        </thead>
        <tbody>
          {sheet.columns.map(({ name, example, filled }, index) => {
            const column = name || t('imports.columns.unnamed', { n: index + 1 })
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: the columns of a file never move
              <tr key={index}>
                <th scope="row">{column}</th>
                <td title={example}>{example || '—'}</td>
                <td>
                  <TargetField
                    column={column}
                    target={targets[index] ?? { to: 'skip' }}
                    fields={fields}
                    onChange={(target) => onChange(targets.with(index, target))}
                  />
                </td>
                <td data-column={t('imports.columns.filled')}>{format.percent(filled / 100)}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
      <p className={classes.hint}>{t('imports.columns.filledHint')}</p>
    </>
  )
}
