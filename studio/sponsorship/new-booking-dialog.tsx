import { Button, Group, Select, Textarea, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type Currency, readSum, typedSum } from '../../server/charge/money.ts'
import { createBooking, creativeLimits } from '../../server/sponsorship/bookings/contract.ts'
import type { Placement } from '../../server/sponsorship/contract.ts'
import { call } from '../api.ts'
import { amountFault } from '../charge/typed-amount.ts'
import { useFormat } from '../format.ts'
import { useLanguage, useLanguageChoices } from '../language.ts'
import { useCurrencies } from '../newsletters/use-currencies.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { useServerForm } from '../ui/server-form.ts'
import { sponsorshipKey } from './queries.ts'
import classes from './sponsorship.module.css'
import { placementName, priceIn } from './words.ts'

export interface FreeSlot {
  placement: Placement
  day: string
}

/** Enters what was agreed with a sponsor for a free slot. */
export function NewBookingDialog({ slot: { placement, day }, onClose }: { slot: FreeSlot; onClose: () => void }) {
  const { t } = useTranslation()
  const format = useFormat()
  const language = useLanguage()
  const newsletter = useNewsletter()
  const languageChoices = useLanguageChoices(newsletter.language)
  const currencies = useCurrencies('placements')
  const queries = useQueryClient()
  const price = priceIn(placement, newsletter.currency)
  const pricedIn = (currency: Currency): string => {
    const amount = placement.prices[currency]
    return amount ? typedSum(amount, currency, language) : ''
  }
  const { form, error, busy, submit } = useServerForm(
    {
      initialValues: {
        ...{ sponsor: '', contact: '', email: '', note: '', language: newsletter.language },
        currency: (price?.currency ?? newsletter.currency) as Currency,
        amount: price ? typedSum(price.amount, price.currency, language) : '',
      },
      validate: {
        amount: (text, { currency }) => amountFault({ text, currency, language }, t),
      },
    },
    async ({ amount: typed, email, ...values }) => {
      const amount = readSum(typed, values.currency, language) ?? 0
      await call(createBooking, {
        params: { newsletterId: newsletter.id },
        body: { ...values, email: email.trim() || null, amount, day, placementId: placement.id },
      })
      notifications.show({ message: t('sponsorship.entered') })
      await queries.invalidateQueries({ queryKey: sponsorshipKey(newsletter.id) })
      onClose()
    },
  )
  const title = `${placementName(placement, language)}, ${format.calendarDayOfYear(day)}`
  return (
    <Dialog opened onClose={onClose} title={title}>
      <form noValidate onSubmit={submit} className={classes.form}>
        <p className={classes.quiet}>{t('sponsorship.newBookingLead')}</p>
        <TextInput
          label={t('sponsorship.sponsor')}
          required
          maxLength={creativeLimits.name}
          {...form.getInputProps('sponsor')}
        />
        <div className={classes.fields}>
          <TextInput label={t('sponsorship.contactOptional')} maxLength={80} {...form.getInputProps('contact')} />
          <TextInput
            label={t('sponsorship.emailOptional')}
            description={t('sponsorship.emailHint')}
            type="email"
            maxLength={254}
            {...form.getInputProps('email')}
          />
          <TextInput label={t('sponsorship.amount')} required inputMode="decimal" {...form.getInputProps('amount')} />
          <Select
            label={t('sponsorship.currency')}
            allowDeselect={false}
            searchable
            data={currencies.map((value) => ({ value, label: value.toUpperCase() }))}
            {...form.getInputProps('currency')}
            // A price that nobody changed is that of the placement, in the other currency too.
            onChange={(chosen) => {
              const currency = currencies.find((one) => one === chosen) ?? newsletter.currency
              const { amount, currency: before } = form.getValues()
              form.setFieldValue('currency', currency)
              if (amount === pricedIn(before)) form.setFieldValue('amount', pricedIn(currency))
            }}
          />
          <Select
            label={t('sponsorship.language')}
            allowDeselect={false}
            data={languageChoices}
            {...form.getInputProps('language')}
          />
        </div>
        <Textarea
          label={t('sponsorship.noteOptional')}
          description={t('sponsorship.noteHint')}
          maxLength={1000}
          autosize
          minRows={1}
          {...form.getInputProps('note')}
        />
        <ErrorNotice error={error} />
        <Group justify="flex-end" gap="sm">
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button type="submit" variant="filled" color="encre" loading={busy}>
            {t('sponsorship.enter')}
          </Button>
        </Group>
      </form>
    </Dialog>
  )
}
