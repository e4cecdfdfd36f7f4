import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { segmentsQuery } from '../../segments/queries.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'

const EVERYONE = 'everyone'

interface Props {
  /** Undefined: everyone. */
  segmentId: number | undefined
  choose: (segmentId: number | undefined) => void
}

/** Who shall receive it: everyone, or those of a segment. The first check says how many these are. */
export function AudienceField({ segmentId, choose }: Props) {
  const { t } = useTranslation()
  const { id } = useNewsletter()
  const { data: segments = [] } = useQuery(segmentsQuery(id))
  if (segments.length === 0 && segmentId === undefined) return null
  const choices = segments.map((segment) => ({
    value: String(segment.id),
    label: t('segments.audienceOf', { name: segment.name }),
  }))
  return (
    <Select
      mt="lg"
      label={t('segments.audience')}
      allowDeselect={false}
      searchable
      data={[{ value: EVERYONE, label: t('segments.audienceEveryone') }, ...choices]}
      value={segmentId === undefined ? EVERYONE : String(segmentId)}
      onChange={(value) => choose(value === null || value === EVERYONE ? undefined : Number(value))}
    />
  )
}
