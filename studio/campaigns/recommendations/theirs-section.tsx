import { Button, Select, Table } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import {
  answerRecommender,
  type RecommendedBy,
  type Recommender,
  recommendedBy,
  setRecommendedBy,
} from '../../../server/campaigns/recommendations/contract.ts'
import { languages } from '../../../server/languages.ts'
import { call } from '../../api.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { QueryContent } from '../../ui/query-content.tsx'
import { Section } from '../../ui/section.tsx'
import { StatusMark } from '../../ui/status-mark.tsx'
import { ArrivalsTable } from './arrivals-table.tsx'
import { CountCells, CountHeads } from './counts-columns.tsx'
import { type Period, recommendationsKey, recommendersQuery } from './queries.ts'
import { ReasonText } from './reason-text.tsx'
import classes from './recommendations.module.css'

const shapes = { shown: 'sent', waiting: 'scheduled', declined: 'stopped', ended: 'stopped' } as const

/** Who recommends this newsletter, who may, and what came of it. */
export function TheirsSection({ period }: { period: Period }) {
  const { t } = useTranslation()
  const { id, may } = useNewsletter()
  const queries = useQueryClient()
  const query = useQuery(recommendersQuery(id, period))
  const refresh = () => queries.invalidateQueries({ queryKey: recommendationsKey(id) })
  const params = { newsletterId: id }
  const policy = useMutation({
    mutationFn: (value: RecommendedBy) => call(setRecommendedBy, { params, body: { recommendedBy: value } }),
    onSuccess: () => notifications.show({ message: t('recommendations.policySaved') }),
    onSettled: refresh,
  })
  const answer = useMutation({
    mutationFn: ({ row, accepted }: { row: Recommender; accepted: boolean }) =>
      call(answerRecommender, { params: { ...params, recommendationId: row.id }, body: { accepted } }),
    onSettled: refresh,
  })
  return (
    <Section title={t('recommendations.theirs')}>
      <p className={classes.quiet}>{t('recommendations.theirsLead')}</p>
      <ErrorNotice error={policy.error ?? answer.error} />
      <QueryContent query={query}>
        {({ rows, recommendedBy: chosen, arrivals }) => (
          <>
            <Select
              className={classes.policy ?? ''}
              label={t('recommendations.policy')}
              allowDeselect={false}
              disabled={!may('newsletter.write')}
              data={recommendedBy.map((value) => ({ value, label: t(`recommendations.policies.${value}`) }))}
              value={chosen}
              onChange={(value) => {
                const wanted = recommendedBy.find((one) => one === value)
                // While a change is under way it ignores another. Disabled, it would lose the focus.
                if (wanted && wanted !== chosen && !policy.isPending) policy.mutate(wanted)
              }}
            />
            {rows.length === 0 ? (
              <p className={classes.quiet}>{t('recommendations.theirsNone')}</p>
            ) : (
              <Table className={classes.table ?? ''}>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>{t('recommendations.counts.newsletter')}</Table.Th>
                    <CountHeads />
                    <Table.Td />
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {rows.map((row) => (
                    <Row
                      key={row.id}
                      row={row}
                      onAnswer={
                        may('newsletter.write') && row.state !== 'ended'
                          ? (accepted) => answer.mutate({ row, accepted })
                          : null
                      }
                    />
                  ))}
                </Table.Tbody>
              </Table>
            )}
            <ArrivalsTable rows={arrivals} />
          </>
        )}
      </QueryContent>
    </Section>
  )
}

function Row({ row, onAnswer }: { row: Recommender; onAnswer: ((accepted: boolean) => void) | null }) {
  const { t } = useTranslation()
  const { name, url } = row.newsletter
  return (
    <Table.Tr>
      <Table.Td>
        <a href={url} target="_blank" rel="noreferrer">
          {name}
        </a>
        {languages.some((language) => row.reasons[language]) && <small>{t('recommendations.theirWords')}</small>}
        <ReasonText reasons={row.reasons} />
        <StatusMark shape={shapes[row.state]}>{t(`recommendations.theirStates.${row.state}`)}</StatusMark>
      </Table.Td>
      <CountCells counts={row.counts} />
      <Table.Td data-right>
        {onAnswer && (
          <div className={classes.acts}>
            {row.state !== 'shown' && (
              <Button
                size="xs"
                aria-label={t('recommendations.acceptOne', { other: name })}
                onClick={() => onAnswer(true)}
              >
                {t('recommendations.accept')}
              </Button>
            )}
            {row.state !== 'declined' && (
              <Button
                size="xs"
                variant="subtle"
                color="rouge"
                aria-label={t('recommendations.declineOne', { other: name })}
                onClick={() => onAnswer(false)}
              >
                {t('recommendations.decline')}
              </Button>
            )}
          </div>
        )}
      </Table.Td>
    </Table.Tr>
  )
}
