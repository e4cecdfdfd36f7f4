import { Alert, Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../format.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { IconRefresh } from '../ui/icons.ts'
import { Loading } from '../ui/loading.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { QueryContent } from '../ui/query-content.tsx'
import { Section } from '../ui/section.tsx'
import classes from './domain.module.css'
import { DomainKeys } from './domain-keys.tsx'
import { Findings } from './findings.tsx'
import { OverallSentence } from './overall.tsx'
import { checkAgain, type Domain, domainChecksQuery, domainQuery } from './queries.ts'

/** The sender's domain: its DNS checks and its DKIM keys. */
export function DomainPage() {
  const { t } = useTranslation()
  const { id, may } = useNewsletter()
  const domain = useQuery({ ...domainQuery(id), enabled: may('domains.read') })
  return (
    <>
      <PageTitle title={t('shell.settings.domain')} lead={t('domain.lead')} />
      {!may('domains.read') ? (
        <Alert color="ocre">{t('domain.notShown')}</Alert>
      ) : (
        <QueryContent query={domain}>{(data) => <Answers domain={data} />}</QueryContent>
      )}
    </>
  )
}

function Answers({ domain }: { domain: Domain }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { id } = useNewsletter()
  const queries = useQueryClient()
  const checks = useQuery(domainChecksQuery(id))
  const again = useMutation({ mutationFn: () => checkAgain(queries, id) })
  const findings = checks.data?.findings ?? []
  const toCopy = findings.some(({ check, ofServer, set }) => check !== 'dkim' && ofServer === null && set.length > 0)
  return (
    <div className={classes.page}>
      {checks.data && <OverallSentence domain={domain} checks={checks.data} />}
      {domain.kind === 'own' && (
        <Section
          title={t('domain.section', { domain: domain.readable })}
          aside={
            <span className={classes.aside}>
              {checks.data && (
                <span className={classes.hint}>{t('domain.looked', { time: format.time(checks.data.checkedAt) })}</span>
              )}
              <Button
                size="xs"
                leftSection={<IconRefresh size={14} stroke={1.6} />}
                loading={again.isPending}
                onClick={() => again.mutate()}
              >
                {t('domain.again')}
              </Button>
            </span>
          }
        >
          <ErrorNotice error={again.error ?? checks.error} />
          {toCopy && <p className={classes.hint}>{t('domain.record.hint', { domain: domain.domain })}</p>}
          {checks.isPending ? <Loading lines={5} row={72} /> : <Findings findings={findings} />}
        </Section>
      )}
      <DomainKeys domain={domain} checks={checks.data} />
    </div>
  )
}
