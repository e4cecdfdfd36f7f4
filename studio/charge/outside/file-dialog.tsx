import { Button, FileButton, Group } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { z } from 'zod'
import { enterFile, type FileLine, outsideFileLimits } from '../../../server/charge/outside/contract.ts'
import { studioPaths } from '../../../server/http/studio-paths.ts'
import { ADDITIONS_AN_HOUR } from '../../../server/subscribers/contract.ts'
import { call } from '../../api.ts'
import { useFormat } from '../../format.ts'
import { useLanguage } from '../../language.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { IconUpload } from '../../ui/icons.ts'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import classes from '../charge.module.css'
import { chargeKey } from '../queries.ts'
import { priceText, sumText } from '../words.ts'
import { usePlanNames, usePlans } from './subscription-table.tsx'

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
  const format = useFormat()
  const { id } = useNewsletter()
  const queries = useQueryClient()
  const [csv, setCsv] = useState<string | null>(null)
  const [entered, setEntered] = useState(0)
  // Read by the loop, which goes on between two renderings.
  const isStopped = useRef(false)
  const [stopping, setStopping] = useState(false)
  const params = { newsletterId: id }
  const attempt = useMutation({
    mutationFn: async (file: File) => {
      setCsv(null)
      enter.reset()
      const text = await textOf(file)
      const reply = await call(enterFile, { params, body: { csv: text, dryRun: true } })
      setCsv(text)
      return reply
    },
  })
  const enter = useMutation({
    mutationFn: async (text: string) => {
      isStopped.current = false
      setStopping(false)
      setEntered(0)
      const left: FileLine[] = []
      let count = 0
      for (let from: number | null = 1; from !== null && !isStopped.current; ) {
        const part: z.infer<typeof enterFile.reply> = await call(enterFile, {
          params,
          body: { csv: text, dryRun: false, from },
        })
        left.push(...part.lines.filter(({ result }) => !enters(result)))
        count += part.entered
        setEntered(count)
        from = part.next
      }
      return { count, left }
    },
    onSuccess: ({ count }) => {
      if (count < counting) return
      notifications.show({ message: t('plans.file.done', { count, n: format.number(count) }) })
      onClose()
    },
    onSettled: () => queries.invalidateQueries({ queryKey: chargeKey(id) }),
  })
  const stop = () => {
    isStopped.current = true
    setStopping(true)
  }
  const { lines = [], unknownColumns: unknown = [] } = attempt.data ?? {}
  const entering = lines.filter(({ result }) => enters(result))
  const counting = entering.length
  const isOver = enter.isSuccess || enter.isError
  const numbers = { done: format.number(entered), all: format.number(counting) }
  const newcomers = entering.filter(({ result }) => result === 'new_address').length
  return (
    <Dialog
      opened
      onClose={() => {
        stop()
        onClose()
      }}
      title={t('plans.file.title')}
      size="lg"
    >
      <p className={classes.quiet}>{t('plans.file.text', { most: format.number(outsideFileLimits.rows) })}</p>
      <Group my="md">
        <FileButton accept=".csv,text/csv" onChange={(file) => file && attempt.mutate(file)}>
          {(props) => (
            <Button
              {...props}
              loading={attempt.isPending}
              disabled={enter.isPending}
              leftSection={<IconUpload size={15} stroke={1.6} />}
            >
              {t('plans.file.choose')}
            </Button>
          )}
        </FileButton>
      </Group>
      <ErrorNotice error={attempt.error ?? enter.error} />
      {enter.isIdle && unknown.length > 0 && (
        <p className={classes.bad}>
          {t('plans.file.unknownColumns', { count: unknown.length, columns: unknown.join(', ') })}
        </p>
      )}
      {isOver && (
        <p role="status">{t(enter.isError || stopping ? 'plans.file.stopped' : 'plans.file.over', numbers)}</p>
      )}
      {enter.isPending && (
        <div role="status">
          <p>{t('plans.file.entering', numbers)}</p>
          <ProgressBar value={entered} of={counting} label={t('plans.file.entering', numbers)} />
        </div>
      )}
      {enter.isIdle && <Sums lines={entering} />}
      {enter.isIdle && newcomers > ADDITIONS_AN_HOUR && (
        <p>
          {t('plans.file.manyNew', { most: format.number(ADDITIONS_AN_HOUR), n: format.number(newcomers) })}{' '}
          <Link to={studioPaths.imports}>{t('plans.file.importThem')}</Link>
        </p>
      )}
      <Lines lines={enter.isIdle ? lines : (enter.data?.left ?? [])} />
      <Group mt="lg" justify="flex-end" gap="sm">
        {enter.isPending ? (
          <Button onClick={stop} loading={stopping}>
            {t('plans.file.stop')}
          </Button>
        ) : (
          <Button onClick={onClose}>{t(isOver ? 'ui.close' : 'ui.cancel')}</Button>
        )}
        {enter.isIdle && (
          <Button
            variant="filled"
            color="encre"
            disabled={csv === null || counting === 0}
            onClick={() => csv !== null && enter.mutate(csv)}
          >
            {t('plans.file.enter', { count: counting, n: format.number(counting) })}
          </Button>
        )}
      </Group>
    </Dialog>
  )
}

const enters = (result: FileLine['result']): boolean => result === 'subscriber' || result === 'new_address'
const goesIn = (result: FileLine['result']): boolean => enters(result) || result === 'there'

/** What the lines that go in come to, by plan and currency. */
function Sums({ lines }: { lines: FileLine[] }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const format = useFormat()
  const nameOf = usePlanNames()
  const groups = Map.groupBy(lines, ({ planId, currency }) => `${planId} ${currency}`)
  return (
    <ul className={classes.sums}>
      {[...groups].map(([key, group]) => {
        const [{ planId, currency } = { planId: null, currency: null }] = group
        const amount = group.reduce((sum, line) => sum + (line.amount ?? 0), 0)
        return (
          <li key={key}>
            {t(currency ? 'plans.file.sum' : 'plans.file.sumComplimentary', {
              plan: nameOf(planId),
              sum: sumText({ amount, currency }, language),
              count: group.length,
              n: format.number(group.length),
            })}
          </li>
        )
      })}
    </ul>
  )
}

/** Of a long file the first lines are shown, and before them those that do not go in. */
const SHOWN_LINES = 200

function Lines({ lines }: { lines: FileLine[] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const nameOf = usePlanNames()
  if (lines.length === 0) return null
  const shown =
    lines.length > SHOWN_LINES
      ? lines.toSorted((a, b) => Number(goesIn(a.result)) - Number(goesIn(b.result))).slice(0, SHOWN_LINES)
      : lines
  return (
    <div className={classes.scroll}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th>{t('plans.file.line')}</th>
            <th>{t('plans.enter.email')}</th>
            <th>{t('plans.columns.plan')}</th>
            <th data-right>{t('plans.columns.amount')}</th>
            <th>{t('plans.columns.until')}</th>
            <th>{t('plans.file.result')}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((one) => (
            <tr key={one.line}>
              <td data-column={t('plans.file.line')}>{one.line}</td>
              <td>{one.email}</td>
              <td>{one.planId === null ? '' : nameOf(one.planId)}</td>
              <td data-right>{goesIn(one.result) && <LineSum of={one} />}</td>
              <td data-column={t('plans.columns.until')}>{one.until === null ? '' : format.dayOfYear(one.until)}</td>
              <td className={goesIn(one.result) ? undefined : classes.bad}>
                {t(`plans.file.results.${one.result}`)}
                {one.result !== 'there' && goesIn(one.result) && one.amount !== null && one.priceId === null && (
                  <small>{t('plans.file.agreed')}</small>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {shown.length < lines.length && (
        <p className={classes.quiet}>
          {t('plans.file.more', { shown: format.number(shown.length), all: format.number(lines.length) })}
        </p>
      )}
    </div>
  )
}

/** The price that was paid, the sum that was agreed, or that it costs nothing. */
function LineSum({ of: { planId, priceId, amount, currency } }: { of: FileLine }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const price = usePlans()
    .find(({ id }) => id === planId)
    ?.prices.find(({ id }) => id === priceId)
  if (amount === null) return t('plans.ways.complimentary')
  if (price) return priceText(t, price, language)
  return sumText({ amount, currency }, language)
}
