import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type Comparison, startComparison } from '../../../server/charge/payment-events/contract.ts'
import { call } from '../../api.ts'
import { useFormat } from '../../format.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { QueryContent } from '../../ui/query-content.tsx'
import { Section } from '../../ui/section.tsx'
import { StatusMark } from '../../ui/status-mark.tsx'
import classes from '../charge.module.css'
import { Differences } from './differences.tsx'
import { comparisonsQuery, saidKey } from './queries.ts'
import { StoppedComparison } from './stopped-comparison.tsx'

const shapes = { listing: 'sending', repairing: 'sending', done: 'sent', stopped: 'stopped' } as const

/** The comparisons with the lists of Stripe: what each found and mended, and the decision about one that stopped. */
export function ComparisonsSection() {
  const { t } = useTranslation()
  const { id, may } = useNewsletter()
  const queries = useQueryClient()
  const comparisons = useQuery(comparisonsQuery(id))
  const begin = useMutation({
    mutationFn: () => call(startComparison, { params: { newsletterId: id } }),
    onSuccess: () => notifications.show({ message: t('said.comparisons.begun') }),
    onSettled: () => queries.invalidateQueries({ queryKey: saidKey(id) }),
  })
  return (
    <Section
      title={t('said.comparisons.title')}
      aside={
        may('charge.write') && (
          <Button size="xs" loading={begin.isPending} onClick={() => begin.mutate()}>
            {t('said.comparisons.now')}
          </Button>
        )
      }
    >
      <p className={classes.quiet}>{t('said.comparisons.lead')}</p>
      <ErrorNotice error={begin.error} />
      <QueryContent query={comparisons}>
        {(all) => {
          const [newest] = all
          return (
            <>
              {all.length === 0 && <p className={classes.quiet}>{t('said.comparisons.none')}</p>}
              {newest?.state === 'stopped' && <StoppedComparison comparison={newest} />}
              <ul className={classes.list}>
                {all.map((comparison) => (
                  <Row key={comparison.id} comparison={comparison} />
                ))}
              </ul>
            </>
          )
        }}
      </QueryContent>
    </Section>
  )
}

function Row({ comparison }: { comparison: Comparison }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { state, begunAt, compared, differences, repaired, problem } = comparison
  return (
    <li>
      <div className={classes.comparison}>
        <span>{format.moment(begunAt)}</span>
        <StatusMark shape={shapes[state]}>{t(`said.comparisons.state.${state}`)}</StatusMark>
        <span>
          {t('said.comparisons.compared')} {format.number(compared)}
        </span>
        <span>
          {differences === 0
            ? t('said.comparisons.same')
            : t('said.comparisons.differences', { count: differences, n: format.number(differences) })}
          {repaired > 0 && <>, {t('said.comparisons.repaired', { count: repaired, n: format.number(repaired) })}</>}
        </span>
      </div>
      {problem && state === 'listing' && <p className={classes.small}>{t('said.comparisons.away')}</p>}
      {differences > 0 && <Differences comparison={comparison} />}
    </li>
  )
}
