import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useNewsletter } from '../../shell/newsletter.tsx'
import classes from './connect.module.css'
import { connectionQuery } from './queries.ts'

/** Says on every screen with money that none moves, while the key is a test key. */
export function TestBand() {
  const { t } = useTranslation()
  const { id } = useNewsletter()
  const { data } = useQuery(connectionQuery(id))
  if (!data?.connection?.test) return null
  return (
    <p className={classes.band} role="note">
      <span>
        <b>{t('stripe.band.strong')}</b> {t('stripe.band.text')}
      </span>
      <code>rk_test_</code>
    </p>
  )
}
