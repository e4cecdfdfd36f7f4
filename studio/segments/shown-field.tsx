import { Checkbox } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { type CustomField, updateField } from '../../server/segments/contract.ts'
import { call } from '../api.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { useLabelsRefresh } from './use-labels-refresh.ts'

/** Whether subscribers read their value on their own page. */
export function ShownField({ field, disabled }: { field: z.infer<typeof CustomField>; disabled: boolean }) {
  const { t } = useTranslation()
  const { id } = useNewsletter()
  const refresh = useLabelsRefresh()
  const change = useMutation({
    mutationFn: (shownToSubscriber: boolean) =>
      call(updateField, { params: { newsletterId: id, fieldId: field.id }, body: { shownToSubscriber } }),
    onSuccess: refresh,
  })
  return (
    <>
      <Checkbox
        label={t('segments.labels.shown')}
        aria-label={t('segments.labels.shownOf', { name: field.label })}
        checked={change.isPending ? change.variables : field.shownToSubscriber}
        disabled={disabled}
        // While a change is under way it ignores a press. Disabled, it would lose the focus.
        onChange={({ currentTarget }) => change.isPending || change.mutate(currentTarget.checked)}
      />
      <ErrorNotice error={change.error} />
    </>
  )
}
