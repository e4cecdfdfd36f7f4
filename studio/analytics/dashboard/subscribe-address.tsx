import { Anchor } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { HandleOffer } from '../../newsletters/handle-offer.tsx'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { Section } from '../../ui/section.tsx'
import { LiveMark } from '../../ui/status-mark.tsx'
import classes from './subscribe-address.module.css'

/** The address of the public subscribe page, to copy and share; before it is first shared, with the offer of a readable one. */
export function SubscribeAddress({ offersHandle = false }: { offersHandle?: boolean }) {
  const { t } = useTranslation()
  const { urls } = useNewsletter()
  return (
    <Section title={t('dashboard.subscribePage')} aside={<LiveMark>{t('dashboard.online')}</LiveMark>}>
      <CopyField value={urls.subscribe} shown={urls.subscribe.replace(/^https?:\/\//, '')} />
      {offersHandle && <HandleOffer />}
      <p className={classes.explanation}>
        {t('dashboard.promise')}{' '}
        <Anchor href={urls.subscribe} target="_blank" rel="noopener">
          {t('dashboard.openPage')}
        </Anchor>
      </p>
    </Section>
  )
}
