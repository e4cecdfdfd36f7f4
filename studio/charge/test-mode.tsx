import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { studioPaths } from '../../server/http/studio-paths.ts'
import { useFormat } from '../format.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { connectionQuery } from './connect/queries.ts'
import classes from './test-mode.module.css'

const isCharge = (pathname: string): boolean =>
  pathname === studioPaths.charge || pathname.startsWith(`${studioPaths.charge}/`)

/** Whether no money moves; asked for on the pages of Charge. */
export function useTestMode() {
  const { id, may } = useNewsletter()
  const { pathname } = useLocation()
  return useQuery({ ...connectionQuery(id), enabled: isCharge(pathname) && may('charge.read') })
}

/** Above every page of Charge: that no money moves, while the key is a test key. */
export function TestBand() {
  const { t } = useTranslation()
  const { may } = useNewsletter()
  const { pathname } = useLocation()
  const format = useFormat()
  const { data } = useTestMode()
  if (!isCharge(pathname) || !data) return null
  const { connection, testSubscriptions } = data
  if (!connection?.test && testSubscriptions === 0) return null
  return (
    <aside className={classes.band} aria-label={t('stripe.test')}>
      <span>
        {connection?.test ? (
          <>
            <b>{t('stripe.band.strong')}</b> {t('stripe.band.text')}
          </>
        ) : (
          <>
            <b>{t('stripe.band.partly')}</b>{' '}
            {t('stripe.band.subscriptions', { count: testSubscriptions, n: format.number(testSubscriptions) })}
          </>
        )}
      </span>
      {connection?.test && may('charge.manage') && pathname !== studioPaths.chargeStripe && (
        <Link to={studioPaths.chargeStripe}>{t('stripe.band.live')}</Link>
      )}
    </aside>
  )
}

/** Beside what was bought in test mode. */
export function TestMark() {
  const { t } = useTranslation()
  return <span className={classes.mark}>{t('stripe.test')}</span>
}
