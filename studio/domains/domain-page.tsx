import { Alert, Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../format.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { Loading } from '../ui/loading.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { QueryPart } from '../ui/query-part.tsx'
import { Section } from '../ui/section.tsx'
import classes from './domain.module.css'
import { Findings } from './findings.tsx'
import { Keys } from './keys.tsx'
import { OverallSentence } from './overall.tsx'
import { type Domain, domainLookQuery, domainQuery, lookAgain } from './queries.ts'

/** Whether receivers believe that mail in this newsletter's name is its own, and what would make them. */
export function DomainPage() {
  const { t } = useTranslation()
  const { id, role } = useNewsletter()
  const domain = useQuery({ ...domainQuery(id), enabled: role !== 'analyst' })
  return (
    <>
      <PageTitle title={t('shell.settings.domain')} lead={t('domain.lead')} />
      {role === 'analyst' ? (
        <Alert color="ocre">{t('domain.notShown')}</Alert>
      ) : (
        <QueryPart query={domain}>{(data) => <Answers domain={data} />}</QueryPart>
      )}
    </>
  )
}

function Answers({ domain }: { domain: Domain }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { id } = useNewsletter()
  const queries = useQueryClient()
  const look = useQuery(domainLookQuery(id))
  const again = useMutation({ mutationFn: () => lookAgain(queries, id) })
  const findings = look.data?.findings ?? []
  return (
    <div className={classes.page}>
      {look.data && <OverallSentence domain={domain} look={look.data} />}
      {domain.kind === 'own' && (
        <Section
          title={t('domain.section', { domain: domain.readable })}
          aside={
            <span className={classes.aside}>
              {look.data && (
                <span className={classes.hint}>{t('domain.looked', { time: format.time(look.data.checkedAt) })}</span>
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
          <ErrorNotice error={again.error ?? look.error} />
          {look.isPending ? <Loading lines={5} row={72} /> : <Findings findings={findings} />}
        </Section>
      )}
      <Keys domain={domain} look={look.data} />
    </div>
  )
}
