import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Comparison, repairComparison } from '../../../server/charge/payment-events/contract.ts'
import { call } from '../../api.ts'
import { useFormat } from '../../format.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { ConfirmDelete } from '../../ui/confirm-delete.tsx'
import classes from '../charge.module.css'
import { chargeKey } from '../queries.ts'

/** The decision about a comparison that found too much to be mended without asking. */
export function StoppedComparison({ comparison: { id, differences, repaired } }: { comparison: Comparison }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { id: newsletterId, may } = useNewsletter()
  const queries = useQueryClient()
  const [asking, ask] = useState(false)
  const open = differences - repaired
  const repair = async () => {
    await call(repairComparison, { params: { newsletterId, comparisonId: id } })
    notifications.show({ message: t('said.comparisons.decide.begun') })
    await queries.invalidateQueries({ queryKey: chargeKey(newsletterId) })
  }
  return (
    <div className={classes.decide}>
      <b>{t('said.comparisons.decide.title', { count: open, n: format.number(open) })}</b>
      <p className={classes.quiet}>{t('said.comparisons.decide.text')}</p>
      {may('charge.manage') ? (
        <Button mt="sm" mb="md" onClick={() => ask(true)}>
          {t('said.comparisons.decide.repair')}
        </Button>
      ) : (
        <p className={classes.small}>{t('said.comparisons.decide.onlyOwner')}</p>
      )}
      <ConfirmDelete
        opened={asking}
        onClose={() => ask(false)}
        title={t('said.comparisons.decide.askTitle')}
        keep={t('said.comparisons.decide.leave')}
        confirm={t('said.comparisons.decide.confirm')}
        onConfirm={repair}
      >
        {t('said.comparisons.decide.ask')}
      </ConfirmDelete>
    </div>
  )
}
