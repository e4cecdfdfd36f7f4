import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { getClickRules, replayClickRules } from '../../server/links/contract.ts'
import { call } from '../api.ts'
import { useFormat } from '../format.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { QueryContent } from '../ui/query-content.tsx'
import { Section } from '../ui/section.tsx'
import { StatusMark } from '../ui/status-mark.tsx'
import classes from './links.module.css'
import { useRuleWords } from './rule-words.ts'

const REFRESH_WHILE_JUDGING_MS = 2_000

type Rules = z.infer<typeof getClickRules.reply>
type Replay = Rules['replays'][number]

const isUnderWay = ({ endedAt }: Replay) => endedAt === null

/** What counts as a click of a person: the rules in their order, and older clicks that were judged by them anew. */
export function ClickRulesPage() {
  const { t } = useTranslation()
  const { id, may } = useNewsletter()
  const queries = useQueryClient()
  const queryKey = [id, 'clicks', 'rules']
  const query = useQuery({
    queryKey,
    queryFn: () => call(getClickRules, { params: { newsletterId: id } }),
    refetchInterval: ({ state }) => state.data?.replays.some(isUnderWay) === true && REFRESH_WHILE_JUDGING_MS,
  })
  const judge = useMutation({
    mutationFn: () => call(replayClickRules, { params: { newsletterId: id } }),
    onSettled: () => queries.invalidateQueries({ queryKey }),
  })
  return (
    <>
      <PageTitle title={t('shell.titles.clickRules')} lead={t('links.rulesPage.lead')} />
      <QueryContent query={query}>
        {({ version, rules, replays }) => (
          <>
            <Section title={t('links.rulesPage.version', { version })}>
              <RuleList rules={rules} />
            </Section>
            <Section
              title={t('links.rulesPage.again')}
              aside={
                may('links.write') && (
                  <Button
                    size="xs"
                    loading={judge.isPending || replays.some(isUnderWay)}
                    onClick={() => judge.mutate()}
                  >
                    {t('links.rulesPage.judge')}
                  </Button>
                )
              }
            >
              <p className={classes.hint}>{t('links.rulesPage.againText')}</p>
              <ErrorNotice error={judge.error} />
              {replays.length === 0 && <p className={classes.hint}>{t('links.rulesPage.never')}</p>}
              <ul className={classes.replays}>
                {replays.map((replay) => (
                  <ReplayRow key={replay.id} replay={replay} />
                ))}
              </ul>
            </Section>
          </>
        )}
      </QueryContent>
    </>
  )
}

function RuleList({ rules }: Pick<Rules, 'rules'>) {
  const words = useRuleWords()
  return (
    <ol className={classes.ruleList}>
      {rules.map((rule) => (
        <li key={rule}>
          <b>{words(rule).name}</b>
          <small>{words(rule).text}</small>
        </li>
      ))}
    </ol>
  )
}

function ReplayRow({ replay }: { replay: Replay }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { begunAt, judged, unknown, changes, version } = replay
  const moved = changes.reduce((sum, { clicks }) => sum + clicks, 0)
  return (
    <li>
      <p>
        {format.moment(begunAt)}{' '}
        <StatusMark shape={isUnderWay(replay) ? 'sending' : 'sent'}>
          {t(isUnderWay(replay) ? 'links.rulesPage.underWay' : 'links.rulesPage.done', { version })}
        </StatusMark>
      </p>
      <p className={classes.hint}>
        {t('links.rulesPage.judged', { count: judged, n: format.number(judged) })}{' '}
        {moved === 0 && !isUnderWay(replay) && <>{t('links.rulesPage.same')} </>}
        {unknown > 0 && t('links.rulesPage.unknown', { count: unknown, n: format.number(unknown) })}
      </p>
      {moved > 0 && (
        <ul>
          {changes.map((change) => (
            <Change key={`${change.from}>${change.to}`} change={change} />
          ))}
        </ul>
      )}
    </li>
  )
}

function Change({ change: { from, to, clicks } }: { change: Replay['changes'][number] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const words = useRuleWords()
  const named = (rule: string | null) => (rule === null ? t('links.human') : words(rule).name)
  return (
    <li>
      {t('links.rulesPage.change', { count: clicks, n: format.number(clicks), from: named(from), to: named(to) })}
    </li>
  )
}
