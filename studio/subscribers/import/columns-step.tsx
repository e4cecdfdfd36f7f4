import { Button, Checkbox } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { cancelImport, checkImport, type Target } from '../../../server/subscribers/import/contract.ts'
import { call } from '../../api.ts'
import { fieldsQuery } from '../../segments/queries.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { Section } from '../../ui/section.tsx'
import { useServerForm } from '../../ui/server-form.ts'
import { ColumnTable } from './column-table.tsx'
import { type ChosenValues, ConsentFields } from './consent-fields.tsx'
import { DayOrderField, usualDayOrder } from './day-order-field.tsx'
import { FileAbout } from './file-about.tsx'
import classes from './import.module.css'
import { useImportAct, type WholeImport } from './queries.ts'
import { Refusal } from './refusal.tsx'
import { Steps } from './steps.tsx'
import { problemOf, unprovenDay } from './targets.ts'

const SHORTEST_WORDS = 20

/** What each column becomes, where the people said yes, and the button that starts the dry run. */
export function ColumnsStep({ one, onChosen }: { one: WholeImport; onChosen: () => void }) {
  const { t } = useTranslation()
  const cancel = useImportAct(cancelImport)
  const { form, error, busy, submit, day } = useChoices(one, onChosen)
  if (!one.sheet) return null
  return (
    <form onSubmit={submit} noValidate>
      <PageTitle title={t('imports.page')} />
      <Steps at="columns" />
      <Refusal refusal={one.refusal} />
      <div className={classes.columns}>
        <div>
          <FileAbout
            one={one}
            sheet={one.sheet}
            onRead={({ columns, hasHeader }) =>
              form.setValues({ targets: columns.map(({ target }) => target), hasHeader })
            }
          >
            <Button loading={cancel.isPending} onClick={() => cancel.mutate(one.id)}>
              {t('imports.file.discard')}
            </Button>
          </FileAbout>
          <ErrorNotice error={cancel.error} />
          <Section title={t('imports.columns.title')} className={classes.part}>
            <Checkbox label={t('imports.file.header')} {...form.getInputProps('hasHeader', { type: 'checkbox' })} />
            <ColumnTable
              sheet={one.sheet}
              targets={form.values.targets}
              onChange={(targets) => form.setFieldValue('targets', targets)}
            />
            {day !== null && (
              <DayOrderField
                day={day}
                value={form.values.dayOrder}
                onChange={(dayOrder) => form.setFieldValue('dayOrder', dayOrder)}
              />
            )}
            {form.errors.targets && (
              <p className={classes.problem} role="alert">
                {form.errors.targets}
              </p>
            )}
          </Section>
        </div>
        <aside>
          <ConsentFields form={form} />
          <ErrorNotice error={error} />
          <div className={classes.acts}>
            <Button type="submit" variant="filled" color="encre" size="md" loading={busy}>
              {t('imports.check.start')}
            </Button>
          </div>
          <p className={classes.hint}>{t('imports.check.startHint')}</p>
        </aside>
      </div>
    </form>
  )
}

/** The choices of an import as a form. What was chosen before is still there, but the confirmation. */
function useChoices(one: WholeImport, onChosen: () => void) {
  const { t } = useTranslation()
  const { id } = useNewsletter()
  const queries = useQueryClient()
  const { choices, sheet } = one
  const { data: fields = [] } = useQuery(fieldsQuery(id))
  const dayIn = (targets: Target[]) => sheet && unprovenDay(sheet, targets, fields)
  const choosing = useServerForm<ChosenValues>(
    {
      initialValues: {
        targets: choices?.targets ?? sheet?.columns.map(({ target }) => target) ?? [],
        hasHeader: choices?.hasHeader ?? sheet?.hasHeader ?? true,
        tag: choices?.tag ?? '',
        dayOrder: choices?.dayOrder ?? usualDayOrder(),
        existing: choices?.existing ?? 'fill',
        origin: choices?.origin ?? null,
        words: choices?.words ?? '',
        confirmed: false,
      },
      validate: {
        targets: (targets) => {
          const problem = problemOf(targets)
          return problem && t(`imports.columns.${problem}`)
        },
        origin: (origin) => (origin ? null : t('imports.consent.originMissing')),
        words: (words) => (words.trim().length < SHORTEST_WORDS ? t('imports.consent.wordsShort') : null),
        confirmed: (confirmed) => (confirmed ? null : t('imports.consent.confirmMissing')),
      },
    },
    async ({ confirmed: _, tag, dayOrder, origin, ...values }) => {
      if (!origin) return
      const isAsked = dayIn(values.targets) !== null
      const body = {
        ...values,
        origin,
        tag: tag.trim() || null,
        dayOrder: isAsked ? dayOrder : null,
        confirmed: true as const,
      }
      await call(checkImport, { params: { newsletterId: id, importId: one.id }, body })
      await queries.invalidateQueries({ queryKey: [id, 'imports'] })
      onChosen()
    },
  )
  return { ...choosing, day: dayIn(choosing.form.values.targets) }
}
