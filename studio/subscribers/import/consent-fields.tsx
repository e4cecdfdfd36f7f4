import { Checkbox, Radio, Select, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { Choices, type DayOrder } from '../../../server/subscribers/import/contract.ts'
import { Section } from '../../ui/section.tsx'
import classes from './import.module.css'

/** The choices as they are typed. */
export type ChosenValues = Omit<z.output<typeof Choices>, 'tag' | 'dayOrder' | 'origin' | 'confirmed'> & {
  tag: string
  origin: Choices['origin'] | null
  dayOrder: DayOrder
  confirmed: boolean
}

/** Where the people of a file said yes, and what happens to those who are here already. */
export function ConsentFields({ form }: { form: UseFormReturnType<ChosenValues> }) {
  const { t } = useTranslation()
  return (
    <>
      <Section title={t('imports.consent.title')}>
        <div className={classes.fields}>
          <Select
            label={t('imports.consent.origin')}
            placeholder={t('imports.consent.originChoose')}
            required
            data={Choices.shape.origin.options.map((origin) => ({
              value: origin,
              label: t(`imports.consent.origins.${origin}`),
            }))}
            allowDeselect={false}
            {...form.getInputProps('origin')}
          />
          <Textarea
            label={t('imports.consent.words')}
            description={t('imports.consent.wordsHint')}
            inputWrapperOrder={['label', 'input', 'error', 'description']}
            autosize
            minRows={3}
            maxLength={1_000}
            {...form.getInputProps('words')}
          />
          <Checkbox label={t('imports.consent.confirm')} {...form.getInputProps('confirmed', { type: 'checkbox' })} />
        </div>
      </Section>
      <Section title={t('imports.existing.title')}>
        <div className={classes.fields}>
          <Radio.Group aria-label={t('imports.existing.label')} {...form.getInputProps('existing')}>
            {(['fill', 'replace'] as const).map((way) => (
              <Radio
                key={way}
                value={way}
                mb="sm"
                label={t(`imports.existing.${way}`)}
                description={t(`imports.existing.${way}Hint`)}
              />
            ))}
          </Radio.Group>
          <p className={classes.hint}>{t('imports.existing.never')}</p>
          <TextInput label={t('imports.existing.tag')} maxLength={60} {...form.getInputProps('tag')} />
        </div>
      </Section>
    </>
  )
}
