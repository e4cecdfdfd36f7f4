import { Button, Group, Input, Textarea, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type Language, languages } from '../../server/languages.ts'
import {
  createHouseCampaign,
  type HouseCampaign,
  updateHouseCampaign,
} from '../../server/sponsorship/house/contract.ts'
import { call } from '../api.ts'
import { dayOf, endOfDay } from '../day.ts'
import { useLanguageNames } from '../language.ts'
import { withSchemeOrNull } from '../links/typed-address.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { DateField } from '../ui/date-field.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { useServerForm } from '../ui/server-form.ts'
import { instantAt } from '../wall-clock.ts'
import { sponsorshipKey } from './queries.ts'
import classes from './sponsorship.module.css'

const noWords = { name: '', text: '', label: '' }
type HouseWords = Record<Language, typeof noWords>

/** The words, the address and the period of a house campaign. */
export function HouseDialog({ campaign, onClose }: { campaign: HouseCampaign | null; onClose: () => void }) {
  const { t } = useTranslation()
  const { id: newsletterId, language, timezone } = useNewsletter()
  const languageNames = useLanguageNames(language)
  const queries = useQueryClient()
  const missing = (value: string) => (value.trim() === '' ? t('errors.fields.required') : null)
  /** A language that was begun is written whole; without any, those of the newsletter's own are what is missing. */
  const missingIn =
    (one: Language) =>
    (value: string, { words }: { words: HouseWords }) => {
      const isBegun = (parts: typeof noWords) => Object.values(parts).some((part) => part.trim() !== '')
      const isAsked = isBegun(words[one]) || (one === language && !Object.values(words).some(isBegun))
      return isAsked ? missing(value) : null
    }
  const { form, error, busy, submit } = useServerForm(
    {
      initialValues: {
        name: campaign?.name ?? '',
        words: Object.fromEntries(languages.map((one) => [one, campaign?.words[one] ?? noWords])) as HouseWords,
        target: campaign?.target ?? '',
        startsAt: campaign?.startsAt ? dayOf(campaign.startsAt, timezone) : '',
        endsAt: campaign?.endsAt ? dayOf(campaign.endsAt, timezone) : '',
      },
      validate: {
        name: missing,
        words: Object.fromEntries(
          languages.map((one) => [one, { name: missingIn(one), text: missingIn(one), label: missingIn(one) }]),
        ),
        target: missing,
        endsAt: (day, { startsAt }) => (day && startsAt && day < startsAt ? t('errors.fields.before_start') : null),
      },
    },
    async ({ name, words, target, startsAt, endsAt }) => {
      const written = Object.entries(words).filter(
        ([, { name, text, label }]) => `${name}${text}${label}`.trim() !== '',
      )
      const body = {
        ...{ name, target: withSchemeOrNull(target) ?? '' },
        // Without any, those of the newsletter's own language are what is missing.
        words: Object.fromEntries(written.length > 0 ? written : [[language, noWords]]),
        startsAt: instantAt({ date: startsAt, time: '00:00' }, timezone)?.instant.toISOString() ?? null,
        endsAt: endOfDay(endsAt, timezone),
      }
      if (campaign) await call(updateHouseCampaign, { params: { newsletterId, houseCampaignId: campaign.id }, body })
      else await call(createHouseCampaign, { params: { newsletterId }, body })
      await queries.invalidateQueries({ queryKey: sponsorshipKey(newsletterId) })
      notifications.show({ message: t('sponsorship.house.saved') })
      onClose()
    },
  )
  return (
    <Dialog opened onClose={onClose} size="lg" title={t('sponsorship.house.one')}>
      <form noValidate onSubmit={submit} className={classes.form}>
        <TextInput
          label={t('sponsorship.house.name')}
          description={t('sponsorship.house.nameHint')}
          maxLength={120}
          {...form.getInputProps('name')}
        />
        <Input.Description>{t('sponsorship.house.oneLanguage')}</Input.Description>
        <div className={classes.fields}>
          {languageNames.map(({ value, name: language }) => (
            <div key={value} className={classes.form} lang={value}>
              <TextInput
                label={t('sponsorship.house.heading', { language })}
                maxLength={40}
                {...form.getInputProps(`words.${value}.name`)}
              />
              <Textarea
                label={t('sponsorship.house.text', { language })}
                maxLength={2000}
                autosize
                minRows={3}
                {...form.getInputProps(`words.${value}.text`)}
              />
              <TextInput
                label={t('sponsorship.house.label', { language })}
                maxLength={40}
                {...form.getInputProps(`words.${value}.label`)}
              />
            </div>
          ))}
        </div>
        <TextInput
          label={t('sponsorship.creativeTarget')}
          placeholder="https://"
          inputMode="url"
          maxLength={2000}
          {...form.getInputProps('target')}
        />
        <div className={classes.fields}>
          <DateField label={t('sponsorship.house.startsAt')} {...form.getInputProps('startsAt')} />
          <DateField label={t('sponsorship.house.endsAt')} {...form.getInputProps('endsAt')} />
        </div>
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
