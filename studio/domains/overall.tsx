import { Anchor } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useFormat } from '../format.ts'
import classes from './domain.module.css'
import type { Domain, DomainChecks } from './queries.ts'
import { readableList } from './readable-list.ts'

const tones = {
  ready: 'good',
  lacking: 'warn',
  refused: 'bad',
  unsure: 'plain',
  free_mail: 'bad',
  local: 'warn',
} as const

/** The overall result of all checks in one sentence. */
export function OverallSentence({ domain, checks }: { domain: Domain; checks: DomainChecks }) {
  const { t } = useTranslation()
  const { locale } = useFormat()
  const { state, lacking } = checks.overall
  const list = readableList(
    locale,
    lacking.map((check) => t(`domain.short.${check}`)),
  )
  const elsewhere = state === 'free_mail' || state === 'local'
  return (
    <div className={classes.overall} data-tone={tones[state]} role="status">
      <p>{t(`domain.overall.${state}`, { domain: domain.readable, address: domain.senderAddress, list })}</p>
      {elsewhere && (
        <p>
          {t('domain.instead')}{' '}
          <Anchor component={Link} to="/settings/sender">
            {t('domain.toSender')}
          </Anchor>
        </p>
      )}
    </div>
  )
}
