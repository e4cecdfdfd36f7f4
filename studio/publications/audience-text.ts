import type { TFunction } from 'i18next'
import type { PublicationSummary } from './queries.ts'

/** Whether it is mailed to a part of the subscribers only. */
export const isForSome = ({ audience }: Pick<PublicationSummary, 'audience'>): boolean =>
  audience !== null && audience.kind !== 'everyone'

/** To whom it was or will be mailed. */
export function audienceText(t: TFunction, { audience, channel }: PublicationSummary): string {
  if (audience?.kind === 'digest') return t(`digests.audience.${audience.pace}`)
  if (audience?.kind === 'plan')
    return typeof audience.plan === 'string'
      ? t(`segments.audienceKind.${audience.plan}`)
      : t('segments.audiencePlan', { name: audience.name })
  return audience?.kind === 'segment' ? audience.name : t(`publish.list.audience.${channel}`)
}
