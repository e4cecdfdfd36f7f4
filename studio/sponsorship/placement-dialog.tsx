import { Button, Checkbox, Group, NumberInput, Select, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Currency, readSum, typedSum } from '../../server/charge/money.ts'
import { type Language, languages } from '../../server/languages.ts'
import { createPlacement, type Placement, updatePlacement } from '../../server/sponsorship/contract.ts'
import { ApiError, call } from '../api.ts'
import { amountFault } from '../charge/typed-amount.ts'
import { useLanguage, useLanguageNames } from '../language.ts'
import { useCurrencies } from '../newsletters/use-currencies.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { useServerForm } from '../ui/server-form.ts'
import { sponsorshipKey } from './queries.ts'
import classes from './sponsorship.module.css'
import { placementName } from './words.ts'

const noWords = { name: '', disclosure: '' }
const places = ['top', 'middle', 'end'] as const

/** The words, limits and prices of a placement. */
export function PlacementDialog({ placement, onClose }: { placement: Placement | null; onClose: () => void }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const newsletter = useNewsletter()
  const languageNames = useLanguageNames(newsletter.language)
  const queries = useQueryClient()
  const [sums, setSums] = useState<Partial<Record<Currency, string>>>(() => typedPrices(placement, language))
  const currencies = useCurrencies('placements')
  const shownCurrencies = currencies.filter((one, at) => at === 0 || one === newsletter.currency || one in sums)
  const { form, error, busy, submit } = useServerForm(
    {
      initialValues: {
        words: Object.fromEntries(languages.map((one) => [one, placement?.words[one] ?? noWords])) as Record<
          Language,
          { name: string; disclosure: string }
        >,
        place: placement?.place ?? ('middle' as Placement['place']),
        maxWords: (placement?.maxWords ?? 60) as number | string,
        takesImage: placement?.takesImage ?? true,
        seats: (placement?.seats ?? 1) as number | string,
        leadDays: (placement?.leadDays ?? 5) as number | string,
        prices: null,
      },
    },
    async ({ words, maxWords, seats, leadDays, place, takesImage }) => {
      const written = Object.entries(words).filter(([, { name, disclosure }]) => `${name}${disclosure}`.trim() !== '')
      const body = {
        ...{ place, takesImage, maxWords: Number(maxWords), seats: Number(seats), leadDays: Number(leadDays) },
        // Without any, those of the newsletter's own language are what is missing.
        words: Object.fromEntries(written.length > 0 ? written : [[newsletter.language, noWords]]),
        prices: readPrices(sums, { language, t }),
      }
      const params = { newsletterId: newsletter.id }
      if (placement) await call(updatePlacement, { params: { ...params, placementId: placement.id }, body })
      else await call(createPlacement, { params, body })
      await queries.invalidateQueries({ queryKey: sponsorshipKey(newsletter.id) })
      notifications.show({ message: t('sponsorship.saved') })
      onClose()
    },
  )
  return (
    <Dialog
      opened
      onClose={onClose}
      size="lg"
      title={placement ? t('sponsorship.editOne', { name: placementName(placement, language) }) : t('sponsorship.add')}
    >
      <form noValidate onSubmit={submit} className={classes.form}>
        <div className={classes.fields}>
          {languageNames.map(({ value, name }) => (
            <div key={value} className={classes.form} lang={value}>
              <TextInput
                label={t('sponsorship.name', { language: name })}
                maxLength={60}
                {...form.getInputProps(`words.${value}.name`)}
              />
              <TextInput
                label={t('sponsorship.disclosure', { language: name })}
                description={t('sponsorship.disclosureHint')}
                maxLength={80}
                {...form.getInputProps(`words.${value}.disclosure`)}
              />
            </div>
          ))}
        </div>
        <div className={classes.fields}>
          <Select
            label={t('sponsorship.place')}
            allowDeselect={false}
            data={places.map((value) => ({ value, label: t(`sponsorship.places.${value}`) }))}
            {...form.getInputProps('place')}
          />
          <NumberInput label={t('sponsorship.maxWords')} min={5} max={500} {...form.getInputProps('maxWords')} />
          <NumberInput label={t('sponsorship.seats')} min={1} max={6} {...form.getInputProps('seats')} />
          <NumberInput label={t('sponsorship.leadDays')} min={0} max={60} {...form.getInputProps('leadDays')} />
        </div>
        <Checkbox label={t('sponsorship.takesImage')} {...form.getInputProps('takesImage', { type: 'checkbox' })} />
        <div className={classes.fields}>
          {shownCurrencies.map((currency) => (
            <TextInput
              key={currency}
              label={t('sponsorship.price', { currency: currency.toUpperCase() })}
              inputMode="decimal"
              value={sums[currency] ?? ''}
              error={form.errors.prices && priceFault(sums[currency], currency, { language, t })}
              onChange={(event) => setSums({ ...sums, [currency]: event.currentTarget.value })}
            />
          ))}
          <Select
            label={t('sponsorship.otherCurrency')}
            searchable
            data={currencies
              .filter((one) => !shownCurrencies.includes(one))
              .map((value) => ({ value, label: value.toUpperCase() }))}
            value={null}
            onChange={(value) => value && setSums({ ...sums, [value]: '' })}
          />
        </div>
        <p className={classes.quiet}>
          {t('sponsorship.pricesHint')} {placement && t('sponsorship.soldStays')}
        </p>
        <ErrorNotice error={error} />
        <Group justify="flex-end" gap="sm">
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button type="submit" variant="filled" color="encre" loading={busy}>
            {t('ui.save')}
          </Button>
        </Group>
      </form>
    </Dialog>
  )
}

const typedPrices = (placement: Placement | null, language: Language): Partial<Record<Currency, string>> =>
  Object.fromEntries(
    (Object.entries(placement?.prices ?? {}) as [Currency, number][]).map(([currency, amount]) => [
      currency,
      typedSum(amount, currency, language),
    ]),
  )

interface Reading {
  language: Language
  t: TFunction
}

/** What is wrong with a price that was typed, or null. A currency that is left empty is not sold in. */
const priceFault = (text = '', currency: Currency, { language, t }: Reading): string | null =>
  text.trim() === '' ? null : amountFault({ text, currency, language }, t, t('sponsorship.zeroPrice'))

/** @throws ApiError for what is no price */
function readPrices(sums: Partial<Record<Currency, string>>, reading: Reading): Partial<Record<Currency, number>> {
  const typed = (Object.entries(sums) as [Currency, string][]).filter(([, sum]) => sum.trim() !== '')
  return Object.fromEntries(
    typed.map(([currency, sum]) => {
      const fault = priceFault(sum, currency, reading)
      if (fault !== null) throw new ApiError('invalid', fault, { fields: { prices: fault } })
      return [currency, readSum(sum, currency, reading.language) ?? 0]
    }),
  )
}
