import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { studioPaths } from '../../../server/http/studio-paths.ts'
import type { useNewPublication } from '../../publications/use-new-publication.ts'
import { useSample } from '../../publications/use-test-mail.tsx'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { fromSteps } from '../../shell/way-back.ts'
import { IconArrowRight } from '../../ui/icons.ts'
import { checklistQuery, nextStep } from '../queries.ts'
import { placeOf } from './checklist-steps.ts'
import classes from './next-step.module.css'

interface Props {
  begin: ReturnType<typeof useNewPublication>
  /** In the side bar, or as a line of its own where there is none. */
  place: 'sidebar' | 'line'
}

/** The next step of the set-up on every page but the dashboard, which has all of them. Only for whoever may take and leave out each. */
export function NextStep(props: Props) {
  return useShowsSteps() && <Next {...props} />
}

function useShowsSteps(): boolean {
  const { may } = useNewsletter()
  const { pathname } = useLocation()
  return pathname !== studioPaths.dashboard && may('newsletter.write') && may('analytics.read')
}

/** The steps, where the next one is shown. */
export function useSteps() {
  const { id } = useNewsletter()
  const query = checklistQuery(id)
  return useQuery(useShowsSteps() ? query : { ...query, enabled: false })
}

function Next({ begin, place }: Props) {
  const { t } = useTranslation()
  const { data } = useSteps()
  const sample = useSample()
  const { mayMail } = useNewsletter()
  const next = data && nextStep(data.checklist, mayMail)
  if (!next) return null
  const words = (
    <>
      {t(`dashboard.step.${next.step}.title`)}
      <IconArrowRight size={14} stroke={1.6} aria-hidden="true" />
    </>
  )
  // The side bar is a landmark already.
  const Place = place === 'line' ? 'aside' : 'div'
  const to = placeOf(next.step, data.draft)
  const act = next.step === 'sample' ? sample : begin
  return (
    <Place className={classes.next} data-place={place} {...(place === 'line' && { 'aria-label': t('dashboard.next') })}>
      <span>{t('dashboard.next')}</span>
      {to === null ? (
        <Anchor component="button" type="button" disabled={act.isPending} onClick={() => act.mutate()}>
          {words}
        </Anchor>
      ) : (
        <Anchor component={Link} to={to} state={fromSteps}>
          {words}
        </Anchor>
      )}
    </Place>
  )
}
