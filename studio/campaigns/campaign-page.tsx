import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { holdMarks } from '../../i18n/french-spaces.ts'
import { exportOptIns, updateOptInCampaign, withdrawOptInCampaign } from '../../server/campaigns/opt-in/contract.ts'
import { studioPaths } from '../../server/http/studio-paths.ts'
import { addressOf, call } from '../api.ts'
import { useFormat } from '../format.ts'
import { useLanguage } from '../language.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { ConfirmDelete } from '../ui/confirm-delete.tsx'
import { CopyField } from '../ui/copy-field.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { IconDownload } from '../ui/icons.ts'
import { PageTitle } from '../ui/page-title.tsx'
import { QueryContent } from '../ui/query-content.tsx'
import { Section } from '../ui/section.tsx'
import { StatusMark } from '../ui/status-mark.tsx'
import { campaignShape } from './campaign-list.tsx'
import classes from './campaigns.module.css'
import { ListLinksSection } from './list-links-section.tsx'
import { PlacesSection } from './places-section.tsx'
import { type Campaign, campaignPath, campaignQuery, campaignsKey } from './queries.ts'
import { YesChart } from './yes-chart.tsx'

/** What came of an opt-in campaign: from a view to a yes, by day and by place, and who gets it. */
export function CampaignPage() {
  const { t } = useTranslation()
  const { id } = useNewsletter()
  const { campaignId = '' } = useParams()
  const query = useQuery(campaignQuery(id, campaignId))
  return (
    <QueryContent query={query} list={{ to: studioPaths.campaigns, label: t('shell.titles.campaigns') }}>
      {(campaign) => (
        <>
          <Head campaign={campaign} />
          <div className={classes.columns}>
            <div>
              <Funnel campaign={campaign} />
              {campaign.days.length > 1 && (
                <Section title={t('campaigns.chart')}>
                  <YesChart days={campaign.days} />
                </Section>
              )}
              <PlacesSection campaign={campaign} />
            </div>
            <div>
              <Asked campaign={campaign} />
              {campaign.beneficiary.kind === 'sponsor' && <ListLinksSection campaign={campaign} />}
            </div>
          </div>
        </>
      )}
    </QueryContent>
  )
}

function Head({ campaign }: { campaign: Campaign }) {
  const { t } = useTranslation()
  const sheet = useLanguage()
  const format = useFormat()
  const queries = useQueryClient()
  const { id: newsletterId, may } = useNewsletter()
  const [isAsking, asking] = useDisclosure(false)
  const { id, name, state, endsAt, startsAt, withdrawnAt, previewUrl, url } = campaign
  const isWritten = Object.keys(campaign.words).length > 0
  const start = useMutation({
    mutationFn: () =>
      call(updateOptInCampaign, {
        params: { newsletterId, campaignId: id },
        body: { startsAt: new Date().toISOString() },
      }),
    onSuccess: () => queries.invalidateQueries({ queryKey: campaignsKey(newsletterId) }),
  })
  const withdraw = async () => {
    await call(withdrawOptInCampaign, { params: { newsletterId, campaignId: id } })
    await queries.invalidateQueries({ queryKey: campaignsKey(newsletterId) })
  }
  return (
    <>
      <PageTitle
        isName
        title={name}
        lead={
          <>
            <StatusMark shape={campaignShape[state]}>{t(`campaigns.state.${state}`)}</StatusMark>{' '}
            {state === 'draft' && (
              <>
                <br />
                {t(isWritten ? 'campaigns.draftText' : 'campaigns.unwrittenText')}
              </>
            )}
            {state === 'scheduled' && t('campaigns.from', { date: format.moment(startsAt) })}
            {endsAt && state === 'running' && t('campaigns.until', { date: format.moment(endsAt) })}
          </>
        }
      >
        {state === 'draft' && isWritten && may('campaigns.write') && (
          <Button variant="filled" color="encre" loading={start.isPending} onClick={() => start.mutate()}>
            {t('campaigns.start')}
          </Button>
        )}
        <Button component="a" href={previewUrl} target="_blank" rel="noopener">
          {t('campaigns.openPage')}
        </Button>
        {may('subscribers.export') && campaign.counts.confirmed > 0 && (
          <Button
            component="a"
            href={addressOf(exportOptIns, { newsletterId, campaignId: id }, { sheet })}
            download
            leftSection={<IconDownload size={16} stroke={1.6} />}
          >
            {t('campaigns.csv')}
          </Button>
        )}
        {may('campaigns.write') && !withdrawnAt && (
          <>
            <Button component={Link} to={`${campaignPath(id)}/edit`}>
              {t('campaigns.edit')}
            </Button>
            <Button color="rouge" onClick={asking.open}>
              {t('campaigns.withdraw')}
            </Button>
          </>
        )}
      </PageTitle>
      <ErrorNotice error={start.error} />
      {state !== 'draft' && <CopyField value={url} mono />}
      <ConfirmDelete
        opened={isAsking}
        onClose={asking.close}
        title={t('campaigns.withdrawAsk', { name })}
        confirm={t('campaigns.withdraw')}
        onConfirm={withdraw}
      >
        {t('campaigns.withdrawText')}
      </ConfirmDelete>
    </>
  )
}

/** From a view to a yes that is still there. */
function Funnel({ campaign: { counts, beneficiary } }: { campaign: Campaign }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { views, yes, confirmed, passed, undone, stayed } = counts
  const most = Math.max(1, views?.human ?? 0, yes)
  const got = beneficiary.kind === 'newsletter' && beneficiary.tagId !== null ? 'tag' : beneficiary.kind
  const steps = [
    {
      step: 'views',
      value: views ? views.human : null,
      hint: views
        ? t('campaigns.funnel.raw', { count: views.raw, n: format.number(views.raw) })
        : t('campaigns.funnel.uncounted'),
    },
    {
      step: 'yes',
      value: yes,
      hint:
        views && views.human > 0 ? t('campaigns.funnel.share', { share: format.rate(share(yes, views.human)) }) : '',
    },
    {
      step: 'confirmed',
      value: confirmed,
      hint: confirmed + undone > 0 ? t('campaigns.funnel.undone', { count: undone, n: format.number(undone) }) : '',
    },
    {
      step: 'passed',
      value: passed,
      hint: beneficiary.kind === 'sponsor' ? null : t(`campaigns.funnel.gotHint.${beneficiary.kind}`),
    },
  ] as const
  return (
    <Section title={t('campaigns.funnel.title')}>
      <ul className={classes.funnel}>
        {steps.map(({ step, value, hint }) => (
          <li key={step}>
            <div>
              <b>
                {step === 'passed'
                  ? t(`campaigns.funnel.got.${got}`, { who: beneficiaryName(beneficiary) })
                  : t(`campaigns.funnel.${step}`)}
              </b>
              {hint && <small>{hint}</small>}
            </div>
            <span className={classes.bar} data-step={step} style={{ width: `${((value ?? 0) / most) * 100}%` }} />
            <span className={classes.number}>{format.number(value)}</span>
          </li>
        ))}
      </ul>
      <p className={classes.quiet}>
        {stayed.of === 0
          ? t('campaigns.funnel.tooEarly')
          : t('campaigns.funnel.stayed', { still: format.number(stayed.still), of: format.number(stayed.of) })}
      </p>
    </Section>
  )
}

const share = (part: number, whole: number): number | null => (whole === 0 ? null : Math.min(1, part / whole))

const beneficiaryName = ({ kind, newsletter, sponsor }: Campaign['beneficiary']): string =>
  (kind === 'sponsor' ? sponsor?.name : newsletter?.name) ?? '—'

function Asked({ campaign }: { campaign: Campaign }) {
  const { t } = useTranslation()
  const format = useFormat()
  const language = useLanguage()
  const { words, version, beneficiary, startsAt, endsAt, cap, counts } = campaign
  const period = startsAt && endsAt ? 'both' : endsAt ? 'until' : 'from'
  const shown = words[language] ?? Object.values(words)[0]
  const { kind, newsletter } = beneficiary
  return (
    <Section
      title={t('campaigns.asked')}
      aside={version > 0 && <span className={classes.small}>{t('campaigns.version', { version })}</span>}
    >
      {shown ? (
        <>
          <p className={classes.question}>{holdMarks(shown.question)}</p>
          <p className={classes.offer}>{shown.offer}</p>
        </>
      ) : (
        <p className={classes.quiet}>{t('campaigns.noWords')}</p>
      )}
      <p className={classes.quiet}>
        {t(`campaigns.for.${kind}`, { who: beneficiaryName(beneficiary) })}
        {kind === 'other_newsletter' &&
          newsletter &&
          !newsletter.accepted &&
          ` ${t(newsletter.changed ? 'campaigns.changedSince' : 'campaigns.notAccepted')}`}
      </p>
      {(startsAt || endsAt) && (
        <p className={classes.quiet}>
          {t(`campaigns.runs.${period}`, { from: format.momentOfYear(startsAt), until: format.momentOfYear(endsAt) })}
        </p>
      )}
      {cap !== null && (
        <p className={classes.quiet}>
          {t('campaigns.taken', { confirmed: format.number(counts.confirmed), cap: format.number(cap) })}
        </p>
      )}
    </Section>
  )
}
