import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { z } from 'zod'
import type { getBooking } from '../../server/sponsorship/bookings/contract.ts'
import type { Placement } from '../../server/sponsorship/contract.ts'
import { useFormat } from '../format.ts'
import { useLanguage } from '../language.ts'
import { sendPathFor } from '../publications/publication-address.ts'
import { useNewPublication } from '../publications/use-new-publication.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { Section } from '../ui/section.tsx'
import { shownTitle } from '../ui/shown-title.ts'
import classes from './sponsorship.module.css'
import { placementName } from './words.ts'

interface Props {
  booking: Pick<z.infer<typeof getBooking.reply>, 'day' | 'couldRunIn'>
  placement: Placement
  hideFromPaid: boolean
}

/** From what is sold to where it can run: the publication of its day, a draft with its slot, or a new one. */
export function PublicationOfDay({ booking: { couldRunIn, day: sold }, placement, hideFromPaid }: Props) {
  const { t } = useTranslation()
  const language = useLanguage()
  const format = useFormat()
  const { may } = useNewsletter()
  const begin = useNewPublication()
  if (!couldRunIn) return null
  const day = format.calendarDay(sold)
  const slot = { type: 'sponsorSlot', attrs: { placementId: placement.id, hideFromPaid } }
  const paragraph = { type: 'paragraph' }
  const content = placement.place === 'top' ? [slot, paragraph] : [paragraph, slot, paragraph]
  return (
    <Section title={t('sponsorship.ofDay.title')}>
      <p className={classes.quiet}>
        {t('sponsorship.ofDay.none', { day, placement: placementName(placement, language) })}
      </p>
      {couldRunIn.length > 0 && (
        <ul className={classes.list}>
          {couldRunIn.map(({ id, title, isOfDay }) => (
            <li key={id}>
              <span>
                {shownTitle(title, t)}{' '}
                <small>{t(isOfDay ? 'sponsorship.ofDay.without' : 'sponsorship.ofDay.draft')}</small>
              </span>
              <span className={classes.acts}>
                <Link to={`/publish/create/${id}`}>{t('sponsorship.ofDay.open')}</Link>
                {!isOfDay && may('publications.send') && (
                  <Link to={sendPathFor(id, sold)}>{t('publish.slot.plan', { day })}</Link>
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
      {may('publications.write') && (
        <div className={classes.acts}>
          <Button
            loading={begin.isPending}
            onClick={() => begin.mutate({ content: { type: 'doc', content }, day: sold })}
          >
            {t('sponsorship.ofDay.begin')}
          </Button>
        </div>
      )}
    </Section>
  )
}
