import { Button, Collapse, Select, TextInput } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { utmFields, withUtm } from '../../server/links/utm.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import classes from './links.module.css'
import { type UtmValues, utmTemplatesQuery } from './queries.ts'
import { withScheme } from './typed-address.ts'

interface InputsProps {
  values: UtmValues
  /** The properties of the field of a value in its form. */
  field: (name: keyof UtmValues) => GetInputPropsReturnType
}

export const hasUtm = (values: UtmValues): boolean => utmFields.some((name) => values[name] !== '')

/** A field for each value. The first is needed by the others. */
export function UtmInputs({ values, field }: InputsProps) {
  const { t } = useTranslation()
  return (
    <div className={classes.utm}>
      {utmFields.map((name) => (
        <TextInput
          key={name}
          label={t(`links.utmField.${name}`)}
          maxLength={100}
          required={name === 'source' && hasUtm(values)}
          {...field(name)}
        />
      ))}
    </div>
  )
}

interface Props extends InputsProps {
  /** What is typed as the target, on which they are put. */
  target: string
  opened: boolean
  onToggle: () => void
  onFill: (values: UtmValues) => void
  children?: ReactNode
}

/** The values that analytics programs read, from those that are kept under a name or typed, with the address that they make. */
export function UtmFields({ target, opened, onToggle, onFill, children, ...inputs }: Props) {
  const { t } = useTranslation()
  const { id } = useNewsletter()
  const { data: templates = [] } = useQuery(utmTemplatesQuery(id))
  const fill = (chosen: string | null) => {
    const template = templates.find((each) => String(each.id) === chosen)
    if (!template) return
    const { id: _id, name: _name, ...values } = template
    onFill(values)
  }
  return (
    <>
      <Button variant="subtle" size="xs" onClick={onToggle} aria-expanded={opened}>
        {t(opened ? 'links.noUtm' : 'links.utm')}
      </Button>
      <Collapse expanded={opened}>
        <p className={classes.hint}>{t('links.utmText')}</p>
        {templates.length > 0 && (
          <Select
            label={t('links.utmKept')}
            data={templates.map(({ id: value, name }) => ({ value: String(value), label: name }))}
            onChange={fill}
          />
        )}
        <UtmInputs {...inputs} />
        {target.trim() !== '' && <Preview address={withUtm(withScheme(target), inputs.values)} />}
        {children}
      </Collapse>
    </>
  )
}

/** An address with what UTM puts into it set off from the rest. */
function Preview({ address }: { address: string }) {
  const { t } = useTranslation()
  const parts = address.split(/(?<=[?&])(utm_[^&#]*)/)
  return (
    <dl className={classes.preview}>
      <dt>{t('links.utmPreview')}</dt>
      <dd>{parts.map((part, index) => (index % 2 === 1 ? <b key={part}>{part}</b> : part))}</dd>
    </dl>
  )
}
