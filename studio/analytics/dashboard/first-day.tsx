import { Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Unconfirmed } from '../../identity/unconfirmed.tsx'
import { useUser } from '../../shell/client.tsx'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { IconCheck } from '../../ui/icons.ts'
import { Section } from '../../ui/section.tsx'
import { shownTitle } from '../../ui/shown-title.ts'
import { type Dashboard, waitsForAddress } from '../queries.ts'
import { SkipButton, Skipped, StepButton, useIsHalfDone } from './checklist.tsx'
import { type NewestDraft, type Step, stepsFor } from './checklist-steps.ts'
import { DueNext } from './due-next.tsx'
import classes from './first-day.module.css'
import { SubscribeAddress } from './subscribe-address.tsx'

/** The dashboard of a new newsletter: what waits for somebody, the steps before the first sending, and the subscribe page. */
export function FirstDay({ data }: { data: Dashboard }) {
  const { t } = useTranslation()
  const user = useUser()
  const { may, mayMail } = useNewsletter()
  const steps = stepsFor(data.checklist, may)
  const shown = steps.filter(({ done, skipped }) => done || !skipped)
  const left = shown.filter(({ done }) => !done)
  const next = left.find((step) => !waitsForAddress(step, mayMail))
  const firstName = user.anonymous ? '' : user.displayName.split(' ')[0]
  return (
    <div className={classes.firstDay}>
      <div>
        <Title order={1}>{firstName ? t('dashboard.hello', { name: firstName }) : t('dashboard.helloGuest')}</Title>
        <p className={classes.introduction}>
          {left.length > 0 && t('dashboard.stepsLeft', { count: left.length })}
          {left.length === 0 && t(steps.length > 0 ? 'dashboard.noStepsLeft' : 'dashboard.figuresLater')}
        </p>
        <DueNext />
        <ol className={classes.steps}>
          {shown.map((step) => (
            <StepRow
              key={step.step}
              step={step}
              draft={data.draft}
              number={shown.indexOf(step) + 1}
              next={step === next}
            />
          ))}
        </ol>
        <Skipped steps={steps.filter(({ done, skipped }) => !done && skipped)} />
        <EmptyGrowth />
      </div>
      <aside>
        <SubscribeAddress offersHandle />
        <Section title={t('dashboard.publications')}>
          <EmptyState
            title={data.draft ? shownTitle(data.draft.title, t) : t('dashboard.firstWaits')}
            action={may('publications.write') && <StepButton step="write" draft={data.draft} />}
          >
            {t('dashboard.firstWaitsText')}
          </EmptyState>
        </Section>
      </aside>
    </div>
  )
}

interface StepRowProps {
  step: Step
  draft: NewestDraft
  number: number
  next: boolean
}

function StepRow({ step, draft, number, next }: StepRowProps) {
  const { t } = useTranslation()
  const { mayMail } = useNewsletter()
  const waits = waitsForAddress(step, mayMail)
  const text = waits ? 'dashboard.waits' : (`dashboard.step.${step.step}.text` as const)
  const isHalfDone = useIsHalfDone()(step)
  return (
    <li data-done={(step.done && !isHalfDone) || undefined} data-next={next || undefined}>
      <span className={classes.stepNumber}>
        {step.done && !isHalfDone ? <IconCheck size={16} stroke={1.6} aria-label={t('dashboard.done')} /> : number}
      </span>
      <div>
        <b>{t(`dashboard.step.${step.step}.title`)}</b>
        {isHalfDone ? <Unconfirmed /> : <p>{t(step.done ? 'dashboard.done' : text)}</p>}
      </div>
      {!step.done && (
        <>
          {!waits && <StepButton step={step.step} draft={draft} filled={next} />}
          <SkipButton step={step.step} />
        </>
      )}
    </li>
  )
}

function EmptyGrowth() {
  const { t } = useTranslation()
  const { mayMail } = useNewsletter()
  return (
    <Section title={t('dashboard.subscribers')} className={classes.growth}>
      <div className={classes.emptyGrowth}>
        <svg viewBox="0 0 740 190" preserveAspectRatio="none" aria-hidden="true">
          <path d="M0 30H740M0 85H740M0 140H740" stroke="var(--tirage-line)" />
          <path d="M0 170H740" stroke="var(--tirage-ink)" />
          <path
            d="M0 170C240 168 430 130 740 36"
            stroke="var(--tirage-line2)"
            strokeWidth="1.5"
            strokeDasharray="2 5"
            fill="none"
          />
        </svg>
        <p>
          <b>{t('dashboard.curve')}</b>
          <span>{t(mayMail ? 'dashboard.curveText' : 'dashboard.curveLater')}</span>
        </p>
      </div>
    </Section>
  )
}
