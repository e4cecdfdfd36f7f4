import { Button, Group, NumberInput, Select, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { giftLimits, makeGifts } from '../../../server/charge/gifts/contract.ts'
import { call } from '../../api.ts'
import { endOfDay } from '../../day.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { DateField } from '../../ui/date-field.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { useFirstField } from '../../ui/first-field.ts'
import { useServerForm } from '../../ui/server-form.ts'
import classes from '../charge.module.css'

interface Props {
  plans: { value: string; label: string }[]
  onDone: (count: number) => void
  onCancel: () => void
}

/** Makes codes for a plan, alike but for their letters. */
export function MakeGifts({ plans, onDone, onCancel }: Props) {
  const { t } = useTranslation()
  const { id, timezone } = useNewsletter()
  const { form, error, busy, submit } = useServerForm(
    {
      initialValues: {
        planId: plans[0]?.value ?? '',
        months: 12 as number | string,
        count: 1 as number | string,
        until: '',
        note: '',
      },
    },
    async ({ planId, months, count, until, note }) => {
      const { gifts } = await call(makeGifts, {
        params: { newsletterId: id },
        body: {
          planId: Number(planId),
          months: Number(months),
          count: Number(count),
          until: endOfDay(until, timezone),
          note,
        },
      })
      onDone(gifts.length)
    },
  )
  return (
    <form ref={useFirstField()} onSubmit={submit} noValidate className={`${classes.form} ${classes.apart}`}>
      <div className={classes.fields}>
        <Select label={t('plans.columns.plan')} allowDeselect={false} data={plans} {...form.getInputProps('planId')} />
        <NumberInput
          label={t('gifts.months')}
          min={1}
          max={120}
          allowDecimal={false}
          {...form.getInputProps('months')}
        />
        <NumberInput
          label={t('gifts.count')}
          min={1}
          max={giftLimits.atOnce}
          allowDecimal={false}
          {...form.getInputProps('count')}
        />
        <DateField label={t('gifts.until')} {...form.getInputProps('until')} />
        <TextInput
          label={t('gifts.note')}
          description={t('gifts.noteHint')}
          maxLength={200}
          {...form.getInputProps('note')}
        />
      </div>
      <ErrorNotice error={error} />
      <Group justify="flex-end" gap="sm">
        <Button onClick={onCancel}>{t('ui.cancel')}</Button>
        <Button type="submit" variant="filled" color="encre" loading={busy}>
          {t('gifts.make')}
        </Button>
      </Group>
    </form>
  )
}
