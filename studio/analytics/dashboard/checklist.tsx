import { ActionIcon, Anchor, Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { generatePath, Link } from 'react-router'
import { skipStep } from '../../../server/analytics/contract.ts'
import { studioPaths } from '../../../server/http/studio-paths.ts'
import { call } from '../../api.ts'
import { Unconfirmed } from '../../identity/unconfirmed.tsx'
import { useNewPublication } from '../../publications/use-new-publication.ts'
import { useSample } from '../../publications/use-test-mail.tsx'
import { useUser } from '../../shell/client.tsx'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { fromSteps } from '../../shell/way-back.ts'
import { useErrorToast } from '../../ui/error-toast.tsx'
import { IconCheck, IconX } from '../../ui/icons.ts'
import { Section } from '../../ui/section.tsx'
import { shownTitle } from '../../ui/shown-title.ts'
import { checklistQuery, waitsForAddress } from '../queries.ts'
import classes from './checklist.module.css'
import { type NewestDraft, placeOf, type Step } from './checklist-steps.ts'

/** The steps of the set-up and which of them are left. One can be left out, and brought back. Nothing is drawn when none is left. */
export function Checklist({ steps, draft }: { steps: Step[]; draft: NewestDraft }) {
  const { t } = useTranslation()
  const { mayMail } = useNewsletter()
  const isHalfDone = useIsHalfDone()
  const isDone = (step: Step) => step.done && !isHalfDone(step)
  const shown = steps.filter((step) => step.done || !step.skipped)
  const skipped = steps.filter((step) => !step.done && step.skipped)
  const done = shown.filter(isDone).length
  const left = shown.filter((step) => !isDone(step))
  const next = left.find((step) => !step.done && !waitsForAddress(step, mayMail))
  if (left.length === 0) return skipped.length > 0 && <Skipped steps={skipped} />
  const progress = t('dashboard.steps', { done, of: shown.length })
  return (
    <Section title={t('dashboard.finish')} aside={<span className={classes.progress}>{progress}</span>}>
      <div className={classes.segments} role="img" aria-label={progress}>
        {shown.map((step) => (
          <i key={step.step} data-done={isDone(step) || undefined} />
        ))}
      </div>
      <ul className={classes.steps}>
        {shown.map((step) => (
          <li key={step.step} data-done={isDone(step) || undefined} data-next={step === next || undefined}>
            <span className={classes.tick}>
              {isDone(step) && <IconCheck size={13} stroke={1.6} aria-hidden="true" />}
            </span>
            <span>
              {t(`dashboard.step.${step.step}.title`)}
              {step.step === 'account' && <Unconfirmed />}
              {step === next && <small>{t(`dashboard.step.${step.step}.text`)}</small>}
              {waitsForAddress(step, mayMail) && <small>{t('dashboard.waits')}</small>}
              {draft && step.step === 'send' && !step.done && (
                <small>
                  <Anchor
                    component={Link}
                    to={generatePath(studioPaths.editor, { publicationId: draft.id })}
                    fz="inherit"
                  >
                    {t('dashboard.draft', { title: shownTitle(draft.title, t) })}
                  </Anchor>
                </small>
              )}
            </span>
            {(step === next || (draft && step.step === 'send' && !step.done)) && (
              <StepButton step={step.step} draft={draft} />
            )}
            {!step.done && <SkipButton step={step.step} />}
          </li>
        ))}
      </ul>
      <Skipped steps={skipped} />
    </Section>
  )
}

/** Of a step: whether the account is there, and its address is yet to be confirmed. Nothing of that is done. */
export function useIsHalfDone(): (step: Step) => boolean {
  const { anonymous, emailVerified } = useUser()
  return ({ step, done }) => step === 'account' && done && !anonymous && !emailVerified
}

/** Steps that were left out, and how to bring them back. */
export function Skipped({ steps }: { steps: Step[] }) {
  const { t } = useTranslation()
  const { may } = useNewsletter()
  const skip = useSkip()
  if (steps.length === 0) return null
  return (
    <p className={classes.skipped}>
      <span>{t('dashboard.skip.left', { count: steps.length })}</span>
      {steps.map(({ step }) =>
        may('newsletter.write') ? (
          <Anchor
            key={step}
            component="button"
            type="button"
            fz="inherit"
            aria-label={t('dashboard.skip.back', { step: t(`dashboard.step.${step}.title`) })}
            onClick={() => skip.mutate({ step, skipped: false })}
          >
            {t(`dashboard.step.${step}.title`)}
          </Anchor>
        ) : (
          <span key={step}>{t(`dashboard.step.${step}.title`)}</span>
        ),
      )}
    </p>
  )
}

/** Leaves a step out. Only for whoever may decide that for the newsletter. */
export function SkipButton({ step }: { step: Step['step'] }) {
  const { t } = useTranslation()
  const { may } = useNewsletter()
  const skip = useSkip()
  if (!may('newsletter.write')) return null
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      loading={skip.isPending}
      aria-label={t('dashboard.skip.act', { step: t(`dashboard.step.${step}.title`) })}
      title={t('dashboard.skip.button')}
      onClick={() => skip.mutate({ step, skipped: true })}
    >
      <IconX size={15} stroke={1.6} />
    </ActionIcon>
  )
}

function useSkip() {
  const { id } = useNewsletter()
  const queries = useQueryClient()
  const showError = useErrorToast()
  return useMutation({
    mutationFn: (body: { step: Step['step']; skipped: boolean }) =>
      call(skipStep, { params: { newsletterId: id }, body }),
    onSettled: () => {
      // One that is brought back is read again, though no other was left.
      queries.removeQueries({ queryKey: checklistQuery(id).queryKey })
      return queries.invalidateQueries({ queryKey: [id, 'dashboard'] })
    },
    onError: showError,
  })
}

interface StepButtonProps {
  step: Step['step']
  draft: NewestDraft
  filled?: boolean
}

/** The button that leads to a step. Writing and sending go on with the newest draft. */
export function StepButton({ step, draft, filled = false }: StepButtonProps) {
  const { t } = useTranslation()
  const begin = useNewPublication()
  const sample = useSample()
  const look = filled ? ({ variant: 'filled', color: 'encre' } as const) : {}
  const label = step === 'write' && draft ? t('dashboard.goOn') : t(`dashboard.step.${step}.button`)
  const name = { 'aria-label': t('ui.within', { whole: label, part: t(`dashboard.step.${step}.title`) }) }
  const to = placeOf(step, draft)
  if (to !== null)
    return (
      <Button component={Link} to={to} state={fromSteps} {...look} {...name}>
        {label}
      </Button>
    )
  const act = step === 'sample' ? sample : begin
  return (
    <Button {...look} {...name} loading={act.isPending} onClick={() => act.mutate()}>
      {label}
    </Button>
  )
}
