import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { linkOfBooking } from '../../server/sponsorship/bookings/contract.ts'
import { linkOfReport } from '../../server/sponsorship/report/contract.ts'
import { call } from '../api.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { CopyField } from '../ui/copy-field.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { Section } from '../ui/section.tsx'
import classes from './sponsorship.module.css'

const links = { link: linkOfBooking, reportLink: linkOfReport } as const

interface Props {
  bookingId: string
  /** The sponsor's own page, or that of the report. */
  of: keyof typeof links
}

/** An address for the sponsor alone. It is a key, so it is shown when somebody asks for it. */
export function LinkSection({ bookingId, of }: Props) {
  const { t } = useTranslation()
  const { id: newsletterId } = useNewsletter()
  const [url, setUrl] = useState<string | null>(null)
  const [error, setError] = useState<unknown>(null)
  const ask = async (renew: boolean) => {
    setError(null)
    try {
      const link = await call(links[of], { params: { newsletterId, bookingId }, body: { renew } })
      setUrl(link.url)
      if (renew) notifications.show({ message: t(`sponsorship.${of}.renewed`) })
    } catch (refusal) {
      setError(refusal)
    }
  }
  return (
    <Section title={t(`sponsorship.${of}.title`)}>
      <div className={classes.form}>
        <p className={classes.quiet}>{t(`sponsorship.${of}.text`)}</p>
        {url && <CopyField value={url} />}
        <div className={classes.acts}>
          {url === null ? (
            <Button size="xs" onClick={() => void ask(false)}>
              {t(`sponsorship.${of}.show`)}
            </Button>
          ) : (
            <Button size="xs" onClick={() => void ask(true)}>
              {t(`sponsorship.${of}.renew`)}
            </Button>
          )}
        </div>
        <ErrorNotice error={error} />
      </div>
    </Section>
  )
}
