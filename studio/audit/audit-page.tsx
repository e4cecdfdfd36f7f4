import { Alert, Button, Select, Table } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type AuditDays, auditDays, exportAudit, keepAudit, listAudit } from '../../server/audit/contract.ts'
import { AuditKind } from '../../server/audit-acts.ts'
import { addressOf, call } from '../api.ts'
import { useFormat } from '../format.ts'
import { useLanguage } from '../language.ts'
import { SettingsPage } from '../newsletters/settings-page.tsx'
import { useNewsletter } from '../shell/newsletter.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { MoreRows } from '../ui/more-rows.tsx'
import { QueryContent } from '../ui/query-content.tsx'
import { todaysName } from '../ui/timezones.ts'
import { usePagedRows } from '../ui/use-pages.ts'
import classes from './audit.module.css'
import { daysName, type Line, outcomeText, useActSentence, useWho } from './sentences.ts'

/** Who did what to the newsletter, newest first. */
export function AuditPage() {
  const { t } = useTranslation()
  const { may, timezone } = useNewsletter()
  return (
    <SettingsPage title={t('shell.settings.audit')} lead={t('audit.lead', { timezone: todaysName(timezone) })}>
      {may('audit.read') ? <Trail /> : <Alert color="ocre">{t('audit.ownersOnly')}</Alert>}
    </SettingsPage>
  )
}

function Trail() {
  const { t } = useTranslation()
  const sheet = useLanguage()
  const { id } = useNewsletter()
  const [kind, setKind] = useState<AuditKind | null>(null)
  const { query, rows, first } = usePagedRows([id, 'audit', kind], (cursor, signal) =>
    call(listAudit, { params: { newsletterId: id }, query: { limit: 50, cursor, kind: kind ?? undefined }, signal }),
  )
  return (
    <>
      <div className={classes.bar}>
        <Select
          label={t('audit.kind')}
          placeholder={t('audit.everything')}
          clearable
          data={AuditKind.options.map((value) => ({ value, label: t(`audit.kinds.${value}`) }))}
          value={kind}
          onChange={setKind}
        />
        {first && <KeepFor days={first.days} />}
        <Button
          component="a"
          href={addressOf(exportAudit, { newsletterId: id }, { sheet, ...(kind && { kind }) })}
          download
        >
          {t('audit.download')}
        </Button>
      </div>
      <QueryContent query={query}>
        {() =>
          rows.length === 0 ? (
            <EmptyState
              title={t(kind ? 'audit.noneOfKind' : 'audit.none')}
              action={kind && <Button onClick={() => setKind(null)}>{t('audit.showAll')}</Button>}
            >
              {t(kind ? 'audit.noneOfKindText' : 'audit.noneText')}
            </EmptyState>
          ) : (
            <Table className={classes.table ?? ''}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t('audit.when')}</Table.Th>
                  <Table.Th>{t('audit.who')}</Table.Th>
                  <Table.Th>{t('audit.what')}</Table.Th>
                  <Table.Th>{t('audit.network')}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {rows.map((line) => (
                  <Row key={line.id} line={line} />
                ))}
              </Table.Tbody>
            </Table>
          )
        }
      </QueryContent>
      <MoreRows query={query} />
    </>
  )
}

function Row({ line }: { line: Line }) {
  const { t } = useTranslation()
  const format = useFormat()
  const sentence = useActSentence()
  const who = useWho()
  const outcome = outcomeText(t, line)
  return (
    <Table.Tr>
      <Table.Td>
        <time dateTime={line.at}>{format.momentOfYear(line.at)}</time>
      </Table.Td>
      <Table.Td>{who(line)}</Table.Td>
      <Table.Td>
        {outcome && <small data-outcome={line.outcome}>{outcome}</small>}
        {sentence(line)}
      </Table.Td>
      <Table.Td>{line.network ?? '—'}</Table.Td>
    </Table.Tr>
  )
}

function KeepFor({ days }: { days: AuditDays }) {
  const { t } = useTranslation()
  const { id } = useNewsletter()
  const queries = useQueryClient()
  const keep = useMutation({
    mutationFn: (chosen: AuditDays) => call(keepAudit, { params: { newsletterId: id }, body: { days: chosen } }),
    onSettled: () => queries.invalidateQueries({ queryKey: [id, 'audit'] }),
  })
  return (
    <div>
      <Select
        label={t('audit.keep')}
        allowDeselect={false}
        data={auditDays.map((value) => ({ value: String(value), label: t(`audit.days.${daysName(value)}`) }))}
        value={String(days)}
        onChange={(value) => keep.mutate(auditDays.find((each) => String(each) === value) ?? null)}
      />
      <ErrorNotice error={keep.error} />
    </div>
  )
}
