import { Anchor } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { HandleOffer } from '../../newsletters/handle-offer.tsx'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { Section } from '../../ui/section.tsx'
import { LiveMark, StatusMark } from '../../ui/status-mark.tsx'
import classes from './subscribe-address.module.css'

/** The address of the public subscribe page, to copy and share; before it is first shared, with the offer of a readable one. It says whether the page is open. */
export function SubscribeAddress({ offersHandle = false }: { offersHandle?: boolean }) {
  const { t } = useTranslation()
  const { urls, mayMail, optIn } = useNewsletter()
  const state = mayMail ? (
    <LiveMark>{t('dashboard.online')}</LiveMark>
  ) : (
    <StatusMark shape="paused">{t('dashboard.notOpen')}</StatusMark>
  )
  return (
    <Section title={t('dashboard.subscribePage')} aside={state}>
      <CopyField value={urls.subscribe} shown={urls.subscribe.replace(/^https?:\/\//, '')} />
      {offersHandle && <HandleOffer />}
      <p className={classes.explanation}>
        {t(mayMail ? (optIn === 'single' ? 'dashboard.promiseAtOnce' : 'dashboard.promise') : 'dashboard.opensLater')}{' '}
        <Anchor href={urls.subscribe} target="_blank" rel="noopener">
          {t('dashboard.openPage')}
        </Anchor>
      </p>
    </Section>
  )
}
