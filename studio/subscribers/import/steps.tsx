import { useTranslation } from 'react-i18next'
import classes from './import.module.css'

const steps = ['file', 'columns', 'check', 'import'] as const
export type Step = (typeof steps)[number]

/** The id of the part in which a step says how far it is, or what came of it. */
export const OUTCOME = 'outcome'

/** The four steps of an import, and which one it is at. */
export function Steps({ at }: { at: Step }) {
  const { t } = useTranslation()
  const now = steps.indexOf(at)
  return (
    <ol className={classes.steps} aria-label={t('imports.steps')}>
      {steps.map((step, index) => (
        <li key={step} data-reached={index <= now || undefined} aria-current={index === now ? 'step' : undefined}>
          {index + 1}. {t(`imports.step.${step}`)}
        </li>
      ))}
    </ol>
  )
}
