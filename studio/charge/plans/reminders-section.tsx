import { Button, Checkbox, Group, NumberInput, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { type ChargeSettings, remindedWays, updateChargeSettings } from '../../../server/charge/plans/contract.ts'
import { languages } from '../../../server/languages.ts'
import { call } from '../../api.ts'
import { useLanguageNames } from '../../language.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Section } from '../../ui/section.tsx'
import { useServerForm } from '../../ui/server-form.ts'
import classes from '../charge.module.css'
import { plansQuery } from '../queries.ts'

/** When and of which ends people are reminded, and how one pays without a card. */
export function RemindersSection({ settings }: { settings: z.infer<typeof ChargeSettings> }) {
  const { t } = useTranslation()
  const { id, language, may } = useNewsletter()
  const languageNames = useLanguageNames(language)
  const queries = useQueryClient()
  const [first = '', second = ''] = settings.remindDays
  const { form, error, busy, isUnsaved, submit } = useServerForm(
    {
      initialValues: {
        remindDays: first as number | string,
        again: second as number | string,
        remindWays: settings.remindWays,
        outsideWords: Object.fromEntries(languages.map((one) => [one, settings.outsideWords[one] ?? ''])),
      },
    },
    async ({ remindDays, again, remindWays, outsideWords }) => {
      const words = Object.entries(outsideWords).filter(([, text]) => text.trim() !== '')
      const body = {
        remindDays: [...new Set([remindDays, again].filter((days) => days !== '').map(Number))],
        remindWays,
        outsideWords: Object.fromEntries(words),
      }
      await call(updateChargeSettings, { params: { newsletterId: id }, body })
      await queries.invalidateQueries({ queryKey: plansQuery(id).queryKey })
      notifications.show({ message: t('plans.saved') })
    },
  )
  return (
    <Section title={t('plans.reminders.title')} lead={t('plans.reminders.lead')}>
      <form onSubmit={submit} noValidate data-unsaved={isUnsaved || undefined}>
        <fieldset disabled={!may('charge.write')} className={classes.fields}>
          {(['remindDays', 'again'] as const).map((field) => (
            <NumberInput
              key={field}
              label={t(`plans.reminders.${field === 'again' ? 'second' : 'first'}`)}
              description={t('plans.reminders.hint')}
              min={1}
              max={90}
              allowDecimal={false}
              {...form.getInputProps(field)}
            />
          ))}
          <Checkbox.Group
            label={t('plans.reminders.ways')}
            className={classes.whole}
            {...form.getInputProps('remindWays')}
          >
            <Group mt={6} gap="lg">
              {remindedWays.map((way) => (
                <Checkbox key={way} value={way} label={t(`plans.reminders.way.${way}`)} />
              ))}
            </Group>
          </Checkbox.Group>
          {languageNames.map(({ value: one, name }) => (
            <Textarea
              key={one}
              label={t('plans.reminders.words', { language: name })}
              description={t('plans.reminders.wordsHint')}
              lang={one}
              autosize
              minRows={3}
              maxLength={600}
              {...form.getInputProps(`outsideWords.${one}`)}
            />
          ))}
        </fieldset>
        <ErrorNotice error={error} />
        {may('charge.write') && (
          <Button mt="md" type="submit" loading={busy} disabled={!form.isDirty()}>
            {t('plans.save')}
          </Button>
        )}
      </form>
    </Section>
  )
}
