import { Button, FileButton, Group } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { enterFile, type FileLine } from '../../../server/charge/outside/contract.ts'
import { call } from '../../api.ts'
import { useFormat } from '../../format.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { IconUpload } from '../../ui/icons.ts'
import classes from '../charge.module.css'
import { chargeKey } from '../queries.ts'
import { usePlanNames } from './subscription-table.tsx'

/** Files of spreadsheets that are not UTF-8 are in what Windows wrote before. */
async function textOf(file: File): Promise<string> {
  const bytes = await file.arrayBuffer()
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** Tries a file line by line; only then is it entered. */
export function FileDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const { id } = useNewsletter()
  const queries = useQueryClient()
  const [csv, setCsv] = useState<string | null>(null)
  const params = { newsletterId: id }
  const attempt = useMutation({
    mutationFn: async (file: File) => {
      const text = await textOf(file)
      const reply = await call(enterFile, { params, body: { csv: text, dryRun: true } })
      setCsv(text)
      return reply
    },
  })
  const enter = useMutation({
    mutationFn: () => call(enterFile, { params, body: { csv: csv ?? '', dryRun: false } }),
    onSuccess: async ({ entered }) => {
      notifications.show({ message: t('plans.file.done', { count: entered }) })
      await queries.invalidateQueries({ queryKey: chargeKey(id) })
      onClose()
    },
  })
  const lines = attempt.data?.lines ?? []
  const counting = lines.filter(({ result }) => result === 'subscriber' || result === 'new_address').length
  return (
    <Dialog opened onClose={onClose} title={t('plans.file.title')} size="lg">
      <p className={classes.quiet}>{t('plans.file.text')}</p>
      <Group my="md">
        <FileButton accept=".csv,text/csv" onChange={(file) => file && attempt.mutate(file)}>
          {(props) => (
            <Button {...props} loading={attempt.isPending} leftSection={<IconUpload size={15} stroke={1.6} />}>
              {t('plans.file.choose')}
            </Button>
          )}
        </FileButton>
      </Group>
      <ErrorNotice error={attempt.error ?? enter.error} />
      {lines.length > 0 && <Lines lines={lines} />}
      <Group mt="lg" justify="flex-end" gap="sm">
        <Button onClick={onClose}>{t('ui.cancel')}</Button>
        <Button
          variant="filled"
          color="encre"
          disabled={csv === null || counting === 0}
          loading={enter.isPending}
          onClick={() => enter.mutate()}
        >
          {t('plans.file.enter', { count: counting })}
        </Button>
      </Group>
    </Dialog>
  )
}

const goesIn = (result: FileLine['result']): boolean => ['subscriber', 'new_address', 'there'].includes(result)

function Lines({ lines }: { lines: FileLine[] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const nameOf = usePlanNames()
  return (
    <div className={classes.scroll}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th>{t('plans.file.line')}</th>
            <th>{t('plans.enter.email')}</th>
            <th>{t('plans.columns.plan')}</th>
            <th>{t('plans.columns.until')}</th>
            <th>{t('plans.file.result')}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ line, email, planId, until, amount, result }) => (
            <tr key={line}>
              <td data-column={t('plans.file.line')}>{line}</td>
              <td>{email}</td>
              <td>{planId === null ? '' : nameOf(planId)}</td>
              <td data-column={t('plans.columns.until')}>{until === null ? '' : format.dayOfYear(until)}</td>
              <td className={goesIn(result) ? undefined : classes.bad}>
                {t(`plans.file.results.${result}`)}
                {goesIn(result) && amount === null && <small>{t('plans.ways.complimentary')}</small>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
