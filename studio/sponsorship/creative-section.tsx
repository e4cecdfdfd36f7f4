import { Alert, Button, Textarea, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { wordsIn } from '../../server/publications/document/words-in.ts'
import { type Booking, creativeLimits, isUnseen, setCreative } from '../../server/sponsorship/bookings/contract.ts'
import type { Placement } from '../../server/sponsorship/contract.ts'
import { call } from '../api.ts'
import { dayOf } from '../day.ts'
import { withScheme, withSchemeOrNull } from '../links/typed-address.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { Section } from '../ui/section.tsx'
import { useServerForm } from '../ui/server-form.ts'
import { CreativeImageField } from './creative-image-field.tsx'
import { CreativePreview } from './creative-preview.tsx'
import { type ShownBooking, sponsorshipKey } from './queries.ts'
import classes from './sponsorship.module.css'

interface Props {
  booking: ShownBooking
  placement: Placement
  /** Told whether something was changed that is not saved. */
  onTyped: (hasTyped: boolean) => void
}

/** What a sponsor says as readers see it, and a form for it while it can be changed. */
export function CreativeSection({ booking, placement, onTyped }: Props) {
  const { t } = useTranslation()
  const { may, timezone } = useNewsletter()
  const { creative } = booking
  const isOpen = booking.acts.includes('send_creative') && may('sponsorship.write')
  if (isOpen) return <CreativeForm {...{ booking, placement, onTyped }} />
  if (!creative) return null
  return (
    <Section title={t('sponsorship.creative')}>
      <CreativePreview
        creative={creative}
        placement={placement}
        publication={booking.publication}
        isUnseen={isUnseen(booking, dayOf(new Date(), timezone)) && !booking.ranOn}
      />
    </Section>
  )
}

/** So many times more can be typed than fits: pasted text is refused with its words kept, and not cut unseen. */
const ROOM = 4

const valuesOf = ({ creative, sponsor }: Booking) =>
  creative ?? { ...{ name: sponsor, text: '', label: '', target: '', image: null } }

function CreativeForm({ booking, placement, onTyped }: Props) {
  const { t } = useTranslation()
  const { id: newsletterId } = useNewsletter()
  const queries = useQueryClient()
  const [seen, setSeen] = useState(booking.creativeSent)
  const { form, error, busy, isUnsaved, submit } = useServerForm(
    { initialValues: valuesOf(booking) },
    async (values) => {
      const body = { ...values, target: withSchemeOrNull(values.target) ?? '', seen }
      try {
        const saved = await call(setCreative, { params: { newsletterId, bookingId: booking.id }, body })
        const hasTypedMeanwhile = form.getValues() !== values
        if (hasTypedMeanwhile) setSeen(saved.creativeSent)
        else show(saved)
        notifications.show({ message: t('sponsorship.creativeSaved') })
      } finally {
        await queries.invalidateQueries({ queryKey: sponsorshipKey(newsletterId) })
      }
    },
  )
  const show = (read: Booking) => {
    form.setValues(valuesOf(read))
    form.resetDirty(valuesOf(read))
    setSeen(read.creativeSent)
  }
  const isOther = booking.creativeSent > seen
  const hasTyped = form.isDirty()
  useEffect(() => {
    if (isOther && !hasTyped && !busy) show(booking)
  })
  useEffect(() => {
    onTyped(hasTyped)
    return () => onTyped(false)
  }, [hasTyped, onTyped])
  const used = wordsIn(form.values.text)
  const count = booking.maxWords
  const line = (name: 'name' | 'label') => {
    const length = form.values[name].trim().length
    return {
      ...form.getInputProps(name),
      ...{ required: true, maxLength: creativeLimits[name] * ROOM },
      description: t('sponsorship.charactersUsed', { used: length, count: creativeLimits[name] }),
      error:
        form.errors[name] ??
        (length > creativeLimits[name]
          ? t('errors.fields.at_most_characters', { count: creativeLimits[name] })
          : undefined),
    }
  }
  return (
    <Section title={t('sponsorship.creative')}>
      <form noValidate onSubmit={submit} className={classes.form} data-unsaved={isUnsaved || undefined}>
        {!booking.creative && <p className={classes.quiet}>{t('sponsorship.creativeNone')}</p>}
        <TextInput label={t('sponsorship.creativeName')} {...line('name')} />
        <Textarea
          label={t('sponsorship.creativeText')}
          description={t('sponsorship.wordsUsed', { used, count })}
          required
          autosize
          minRows={4}
          {...form.getInputProps('text')}
          error={form.errors.text ?? (used > count ? t('errors.fields.too_many_words') : undefined)}
        />
        <TextInput label={t('sponsorship.creativeLabel')} {...line('label')} />
        <TextInput
          label={t('sponsorship.creativeTarget')}
          type="url"
          required
          placeholder="https://"
          {...form.getInputProps('target')}
          error={form.errors.target ?? (isWrong(form.values.target) ? t('errors.fields.not_a_url') : undefined)}
        />
        {booking.takesImage && (
          <CreativeImageField
            image={form.values.image}
            error={form.errors.image}
            onChange={(image) => form.setFieldValue('image', image)}
          />
        )}
        <CreativePreview creative={form.values} placement={placement} publication={booking.publication} />
        {isOther && hasTyped ? (
          <Alert color="ocre">
            <p>{t('sponsorship.creativeMeanwhile')}</p>
            {booking.creative && (
              <CreativePreview creative={booking.creative} placement={placement} publication={booking.publication} />
            )}
            <div className={classes.acts}>
              <Button size="xs" onClick={() => show(booking)}>
                {t('sponsorship.creativeTake')}
              </Button>
              <Button size="xs" onClick={() => setSeen(booking.creativeSent)}>
                {t('sponsorship.creativeKeep')}
              </Button>
            </div>
          </Alert>
        ) : (
          <ErrorNotice error={error} />
        )}
        <div>
          <Button type="submit" loading={busy}>
            {t('sponsorship.saveCreative')}
          </Button>
        </div>
      </form>
    </Section>
  )
}

/** Said while somebody types only once it looks like a whole address. */
const isWrong = (target: string): boolean =>
  target.length > 8 && !(/^https?:\/\//i.test(withScheme(target)) && URL.canParse(withScheme(target)))
