import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { linkOfBooking } from '../../server/sponsorship/bookings/contract.ts'
import { linkOfReport } from '../../server/sponsorship/report/contract.ts'
import { call } from '../api.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { ConfirmDelete } from '../ui/confirm-delete.tsx'
import { CopyField } from '../ui/copy-field.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { Section } from '../ui/section.tsx'
import classes from './sponsorship.module.css'

const links = { link: linkOfBooking, reportLink: linkOfReport } as const

interface Props {
  bookingId: string
  /** The sponsor's own page, or that of the report. */
  of: keyof typeof links
  /** Whether the sponsor is mailed it. */
  isMailed: boolean
}

/** An address for the sponsor alone. It is a key, so it is shown when somebody asks for it. */
export function LinkSection({ bookingId, of, isMailed }: Props) {
  const { t } = useTranslation()
  const { id: newsletterId } = useNewsletter()
  const [url, setUrl] = useState<string | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [asks, setAsks] = useState(false)
  const shown = useRef<HTMLDivElement>(null)
  const read = async (renew: boolean) => {
    setUrl((await call(links[of], { params: { newsletterId, bookingId }, body: { renew } })).url)
  }
  const show = () => {
    setError(null)
    read(false).catch(setError)
  }
  const renew = async () => {
    await read(true)
    notifications.show({ message: t(`sponsorship.${of}.renewed`) })
  }
  // In place of the button that showed it stands one that makes it invalid.
  useEffect(() => {
    if (url !== null) shown.current?.querySelector('button')?.focus()
  }, [url])
  return (
    <Section title={t(`sponsorship.${of}.title`)}>
      <div className={classes.form}>
        <p className={classes.quiet}>
          {t(`sponsorship.${of}.text`)} {t(`sponsorship.${of}.${isMailed ? 'mailed' : 'unmailed'}`)}
        </p>
        {url && (
          <div ref={shown}>
            <CopyField value={url} />
          </div>
        )}
        <div className={classes.acts}>
          {url === null ? (
            <Button size="xs" onClick={show}>
              {t(`sponsorship.${of}.show`)}
            </Button>
          ) : (
            <Button size="xs" onClick={() => setAsks(true)}>
              {t(`sponsorship.${of}.renew`)}
            </Button>
          )}
        </div>
        <ErrorNotice error={error} />
      </div>
      <ConfirmDelete
        opened={asks}
        onClose={() => setAsks(false)}
        title={t(`sponsorship.${of}.renewAsk`)}
        confirm={t(`sponsorship.${of}.renew`)}
        onConfirm={renew}
      >
        {t(`sponsorship.${of}.renewText`)}
      </ConfirmDelete>
    </Section>
  )
}
