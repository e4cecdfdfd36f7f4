import { useTranslation } from 'react-i18next'
import type { DomainChecks } from '../../domains/queries.ts'
import { readableList } from '../../domains/readable-list.ts'
import { useFormat } from '../../format.ts'
import { CheckLine } from './check-line.tsx'

/** Whether receiving servers can verify the sender: SPF, DKIM and DMARC as DNS has them now. */
export function DomainCheck({ checks: { overall, domain } }: { checks: DomainChecks }) {
  const { t } = useTranslation()
  const { locale } = useFormat()
  const { state, lacking } = overall
  const list = readableList(
    locale,
    lacking.map((check) => t(`domain.short.${check}`)),
  )
  return (
    <CheckLine
      kind={state === 'ready' ? 'ok' : 'warn'}
      title={t(`domain.flight.${state}`)}
      text={t(`domain.flight.${state}Text`, { domain, list })}
      {...(state !== 'ready' && { to: '/settings/domain', fixLabel: t('domain.flight.see') })}
    />
  )
}
