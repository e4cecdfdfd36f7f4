import { Alert, Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { makeDomainKeys } from '../../server/domains/contract.ts'
import { call } from '../api.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { Section } from '../ui/section.tsx'
import classes from './domain.module.css'
import { KeyRow } from './key-row.tsx'
import { type Domain, type DomainChecks, showDomain } from './queries.ts'

/** The DKIM keys: active, waiting for their records, and retired. */
export function DomainKeys({ domain, checks }: { domain: Domain; checks: DomainChecks | undefined }) {
  const { t } = useTranslation()
  const { id, may } = useNewsletter()
  const queries = useQueryClient()
  const make = useMutation({
    mutationFn: () => call(makeDomainKeys, { params: { newsletterId: id } }),
    onSuccess: (changed) => showDomain(queries, id, changed),
  })
  const ours = domain.keys.filter((key) => key.domain === domain.domain)
  const inUse = ours.some(({ state }) => state === 'active')
  const waiting = ours.some(({ state }) => state === 'waiting')
  const published = new Map(checks?.keys.map((key) => [key.id, key.published]))
  const button = (
    <Button
      size="xs"
      {...(!inUse && { variant: 'filled', color: 'encre' })}
      loading={make.isPending}
      onClick={() => make.mutate()}
    >
      {t(inUse ? 'domain.keys.renew' : 'domain.keys.make')}
    </Button>
  )
  const own = domain.kind === 'own'
  const mayMake = may('domains.manage') && own && !waiting
  if (!own && domain.keys.length === 0) return null
  return (
    <Section title={t('domain.keys.title')} aside={mayMake && inUse && button} className={classes.keysSection}>
      {own && <p className={classes.hint}>{t('domain.keys.lead')}</p>}
      {inUse && mayMake && <p className={classes.hint}>{t('domain.keys.renewText')}</p>}
      {waiting && <p className={classes.hint}>{t('domain.record.hint', { domain: domain.domain })}</p>}
      {!may('domains.manage') && <Alert color="ocre">{t('newsletters.ownersOnly')}</Alert>}
      <ErrorNotice error={make.error} />
      {own && !inUse && !waiting && (
        <EmptyState title={t('domain.keys.none')} action={mayMake && button}>
          {mayMake && t('domain.keys.noneText')}
        </EmptyState>
      )}
      <ul className={classes.keys}>
        {domain.keys.map((key) => (
          <KeyRow key={key.id} item={key} of={domain.domain} published={published.get(key.id)} />
        ))}
      </ul>
    </Section>
  )
}
