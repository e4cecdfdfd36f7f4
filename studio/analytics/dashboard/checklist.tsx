import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useNewPublication } from '../../publications/use-new-publication.ts'
import { IconCheck } from '../../ui/icons.ts'
import { Section } from '../../ui/section.tsx'
import classes from './checklist.module.css'
import { addressOfStep, type Step } from './checklist-steps.ts'

/** The steps of the set-up and which of them are left. */
export function Checklist({ steps }: { steps: Step[] }) {
  const { t } = useTranslation()
  const done = steps.filter((step) => step.done).length
  const next = steps.find((step) => !step.done)
  const progress = t('dashboard.steps', { done, of: steps.length })
  return (
    <Section title={t('dashboard.finish')} aside={<span className={classes.progress}>{progress}</span>}>
      <div className={classes.segments} role="img" aria-label={progress}>
        {steps.map(({ step, done }) => (
          <i key={step} data-done={done || undefined} />
        ))}
      </div>
      <ul className={classes.steps}>
        {steps.map((step) => (
          <li key={step.step} data-done={step.done || undefined} data-next={step === next || undefined}>
            <span className={classes.tick}>{step.done && <IconCheck size={13} stroke={1.6} aria-hidden="true" />}</span>
            <span>
              {t(`dashboard.step.${step.step}.title`)}
              {step === next && <small>{t(`dashboard.step.${step.step}.text`)}</small>}
            </span>
            {step === next && <StepButton step={step.step} />}
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** The button that leads to a step. */
export function StepButton({ step, filled = false }: { step: Step['step']; filled?: boolean }) {
  const { t } = useTranslation()
  const begin = useNewPublication()
  const place = addressOfStep[step]
  const look = filled ? ({ variant: 'filled', color: 'encre' } as const) : {}
  const label = t(`dashboard.step.${step}.button`)
  const name = { 'aria-label': `${label}: ${t(`dashboard.step.${step}.title`)}` }
  if (place === null)
    return (
      <Button {...look} {...name} loading={begin.isPending} onClick={() => begin.mutate()}>
        {label}
      </Button>
    )
  return (
    <Button component={Link} to={place} {...look} {...name}>
      {label}
    </Button>
  )
}
