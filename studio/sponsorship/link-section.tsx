import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Booking, linkOfBooking } from '../../server/sponsorship/bookings/contract.ts'
import { call } from '../api.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { CopyField } from '../ui/copy-field.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { Section } from '../ui/section.tsx'
import classes from './sponsorship.module.css'

/** The address with which the sponsor follows the booking. It is a key, so it is shown when somebody asks for it. */
export function LinkSection({ booking }: { booking: Booking }) {
  const { t } = useTranslation()
  const { id: newsletterId } = useNewsletter()
  const [url, setUrl] = useState<string | null>(null)
  const [error, setError] = useState<unknown>(null)
  const ask = async (renew: boolean) => {
    setError(null)
    try {
      const link = await call(linkOfBooking, { params: { newsletterId, bookingId: booking.id }, body: { renew } })
      setUrl(link.url)
      if (renew) notifications.show({ message: t('sponsorship.link.renewed') })
    } catch (refusal) {
      setError(refusal)
    }
  }
  return (
    <Section title={t('sponsorship.link.title')}>
      <div className={classes.form}>
        <p className={classes.quiet}>{t('sponsorship.link.text')}</p>
        {url && <CopyField value={url} />}
        <div className={classes.acts}>
          {url === null ? (
            <Button size="xs" onClick={() => void ask(false)}>
              {t('sponsorship.link.show')}
            </Button>
          ) : (
            <Button size="xs" onClick={() => void ask(true)}>
              {t('sponsorship.link.renew')}
            </Button>
          )}
        </div>
        <ErrorNotice error={error} />
      </div>
    </Section>
  )
}
