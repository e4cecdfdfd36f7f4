import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { AudienceChoice } from '../../../server/segments/contract.ts'
import { usePlanChoices } from '../../charge/plan-choices.ts'
import { segmentsQuery } from '../../segments/queries.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'

interface Props {
  audience: AudienceChoice
  /** Its segment was deleted meanwhile. */
  gone: boolean
  choose: (audience: AudienceChoice) => void
}

const keyOf = (audience: AudienceChoice): string => {
  if (audience.kind === 'segment') return `segment ${audience.segmentId}`
  return audience.kind === 'plan' ? `plan ${audience.plan}` : 'everyone'
}

function audienceIn(value: string | null): AudienceChoice {
  const [kind, id = ''] = (value ?? '').split(' ')
  if (kind === 'segment') return { kind, segmentId: Number(id) }
  if (kind === 'plan') return { kind, plan: id === 'paid' || id === 'free' ? id : Number(id) }
  return { kind: 'everyone' }
}

/** Whom it can be mailed to. Those with or without a plan are among them where there are plans, or where one of the two is chosen. */
function useAudiences(audience: AudienceChoice): { value: string; label: string }[] {
  const { t } = useTranslation()
  const { data: segments = [] } = useQuery(segmentsQuery(useNewsletter().id))
  const plans = usePlanChoices()
  const kinds = (['paid', 'free'] as const).map((plan) => ({
    value: keyOf({ kind: 'plan', plan }),
    label: t(`segments.audienceKind.${plan}`),
  }))
  const each = plans.map(({ value, label }) => ({
    value: `plan ${value}`,
    label: t('segments.audiencePlan', { name: label }),
  }))
  const choices = segments.map((segment) => ({
    value: keyOf({ kind: 'segment', segmentId: segment.id }),
    label: t('segments.audienceOf', { name: segment.name }),
  }))
  const byPlan = plans.length > 0 || audience.kind === 'plan' ? [...kinds, ...each] : []
  return [{ value: 'everyone', label: t('segments.audienceEveryone') }, ...byPlan, ...choices]
}

/** The part of the subscribers that was chosen, as the field says it; null for everyone, and until the name is known. */
export function useAudienceName(audience: AudienceChoice): string | null {
  const chosen = useAudiences(audience).find(({ value }) => value === keyOf(audience))
  return audience.kind === 'everyone' ? null : (chosen?.label ?? null)
}

/** Who shall receive it: everyone, those with or without a plan, or those of a segment. The first check says how many these are. */
export function AudienceField({ audience, gone, choose }: Props) {
  const { t } = useTranslation()
  const audiences = useAudiences(audience)
  if (audiences.length === 1 && audience.kind === 'everyone') return null
  return (
    <Select
      mt="lg"
      label={t('segments.audience')}
      allowDeselect={false}
      error={gone && t('preFlight.segment_gone')}
      searchable
      data={audiences}
      value={keyOf(audience)}
      onChange={(value) => choose(audienceIn(value))}
    />
  )
}
