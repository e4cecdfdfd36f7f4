import { Button, Textarea, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type Booking, setCreative, wordsIn } from '../../server/sponsorship/bookings/contract.ts'
import type { Placement } from '../../server/sponsorship/contract.ts'
import { call } from '../api.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { Section } from '../ui/section.tsx'
import { useServerForm } from '../ui/server-form.ts'
import { sponsorshipKey } from './queries.ts'
import classes from './sponsorship.module.css'

interface Props {
  booking: Booking
  placement: Placement
}

/** What a sponsor says, and a form for it while it can be changed. */
export function CreativeSection({ booking, placement }: Props) {
  const { t } = useTranslation()
  const { may } = useNewsletter()
  const { creative } = booking
  const isOpen = booking.acts.includes('send_creative') && may('sponsorship.write')
  if (isOpen) return <CreativeForm booking={booking} placement={placement} />
  if (!creative) return null
  return (
    <Section title={t('sponsorship.creative')}>
      <p>
        <b>{creative.name}</b> {creative.text}
      </p>
      <p>
        <a href={creative.target} rel="noreferrer">
          {creative.label}
        </a>
      </p>
    </Section>
  )
}

function CreativeForm({ booking, placement }: Props) {
  const { t } = useTranslation()
  const { id: newsletterId } = useNewsletter()
  const queries = useQueryClient()
  const { form, error, busy, submit } = useServerForm(
    { initialValues: booking.creative ?? { name: booking.sponsor.slice(0, 40), text: '', label: '', target: '' } },
    async (body) => {
      await call(setCreative, { params: { newsletterId, bookingId: booking.id }, body })
      notifications.show({ message: t('sponsorship.creativeSaved') })
      await queries.invalidateQueries({ queryKey: sponsorshipKey(newsletterId) })
    },
  )
  const used = wordsIn(form.values.text)
  const count = placement.maxWords
  return (
    <Section title={t('sponsorship.creative')}>
      <form onSubmit={submit} className={classes.form}>
        {!booking.creative && <p className={classes.quiet}>{t('sponsorship.creativeNone')}</p>}
        <TextInput label={t('sponsorship.creativeName')} required maxLength={40} {...form.getInputProps('name')} />
        <Textarea
          label={t('sponsorship.creativeText')}
          description={t('sponsorship.wordsUsed', { used, count })}
          required
          autosize
          minRows={4}
          {...form.getInputProps('text')}
          error={form.errors.text ?? (used > count ? t('errors.fields.too_many_words') : undefined)}
        />
        <TextInput label={t('sponsorship.creativeLabel')} required maxLength={40} {...form.getInputProps('label')} />
        <TextInput
          label={t('sponsorship.creativeTarget')}
          type="url"
          required
          placeholder="https://"
          {...form.getInputProps('target')}
        />
        <ErrorNotice error={error} />
        <div>
          <Button type="submit" loading={busy}>
            {t('sponsorship.saveCreative')}
          </Button>
        </div>
      </form>
    </Section>
  )
}
