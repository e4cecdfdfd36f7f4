import { Button, ColorInput, ColorSwatch, NumberInput, SimpleGrid, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate, useParams } from 'react-router'
import { updateOptInCampaign } from '../../server/campaigns/opt-in/contract.ts'
import { studioPaths } from '../../server/http/studio-paths.ts'
import { call } from '../api.ts'
import { useFormat } from '../format.ts'
import { WhoMayChange } from '../newsletters/who-may-change.tsx'
import { useNewsletter } from '../shell/newsletter.tsx'
import { DateField } from '../ui/date-field.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { useMarkedForm } from '../ui/marked-form.ts'
import { PageTitle } from '../ui/page-title.tsx'
import { QueryContent } from '../ui/query-content.tsx'
import { Section } from '../ui/section.tsx'
import { todaysName } from '../ui/timezones.ts'
import { LeaveGuard } from '../ui/unsaved.tsx'
import { BeneficiaryFields } from './beneficiary-fields.tsx'
import {
  type CampaignDraft,
  changeOf,
  type DraftPart,
  draftOf,
  endsTooEarly,
  instantOf,
  missingIn,
} from './campaign-draft.ts'
import { CampaignPreview } from './campaign-preview.tsx'
import classes from './campaigns.module.css'
import { atItsField, useFieldNames } from './field-faults.ts'
import { type Campaign, campaignPath, campaignQuery, campaignsKey } from './queries.ts'
import { WordsFields } from './words-fields.tsx'

/** Writes an opt-in campaign: words, beneficiary, period, cap and colour, beside the page that readers get. */
export function CampaignEditPage() {
  const { t } = useTranslation()
  const { id } = useNewsletter()
  const { campaignId = '' } = useParams()
  const query = useQuery(campaignQuery(id, campaignId))
  return (
    <QueryContent query={query} list={{ to: studioPaths.campaigns, label: t('shell.titles.campaigns') }}>
      {(campaign) => <Editor key={campaign.id} campaign={campaign} />}
    </QueryContent>
  )
}

function Editor({ campaign }: { campaign: Campaign }) {
  const { t } = useTranslation()
  const { id: newsletterId, timezone, may } = useNewsletter()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [draft, setDraft] = useState(() => draftOf(campaign, timezone))
  const set = (values: Partial<CampaignDraft>) => {
    setDraft((before) => ({ ...before, ...values }))
    forget()
  }
  const missing = {
    ...Object.fromEntries(missingIn(draft).map((path) => [path, t('errors.fields.required')])),
    ...(endsTooEarly(draft) && { endsAt: t('errors.fields.before_start') }),
  }
  const { form, faults, error, busy, isUnsaved, submit, forget } = useMarkedForm({
    values: draft,
    find: () => missing,
    send: async () => {
      const params = { newsletterId, campaignId: campaign.id }
      const saved = await call(updateOptInCampaign, { params, body: changeOf(draft, campaign, timezone) }).catch(
        atItsField,
      )
      await queries.invalidateQueries({ queryKey: campaignsKey(newsletterId) })
      const became = saved.state === campaign.state ? null : saved.state
      const runs = campaign.state === 'draft' || campaign.state === 'scheduled' ? 'savedAndRuns' : 'savedRunning'
      const said = became === 'running' ? runs : became === 'draft' ? 'savedAsDraft' : 'saved'
      notifications.show({ message: t(`campaigns.${said}`) })
      await navigate(campaignPath(campaign.id))
    },
  })
  const nameOf = useFieldNames()
  const isOpen = may('campaigns.write') && !campaign.withdrawnAt
  const part = { draft, faults, set }
  return (
    <form ref={form} onSubmit={(event) => void submit(event)} noValidate data-unsaved={isUnsaved || undefined}>
      <LeaveGuard />
      <p className={classes.quiet}>
        <Link to={campaignPath(campaign.id)}>{campaign.name}</Link>
      </p>
      <PageTitle isName title={t('campaigns.editTitle')} lead={t('campaigns.editLead')}>
        <Button type="submit" variant="filled" color="encre" loading={busy} disabled={!isOpen}>
          {t('campaigns.save')}
        </Button>
      </PageTitle>
      <WhoMayChange need="campaigns.write" />
      <ErrorNotice error={error} fields={Object.keys(faults).map(nameOf)} />
      <div className={classes.columns}>
        <fieldset disabled={!isOpen} className={classes.plain}>
          <TextInput
            label={t('campaigns.name')}
            description={t('campaigns.nameHint')}
            maxLength={120}
            required
            value={draft.name}
            error={faults.name}
            mb="md"
            onChange={(event) => set({ name: event.currentTarget.value })}
          />
          <WordsFields {...part} />
          <BeneficiaryFields {...part} isFixed={campaign.counts.confirmed + campaign.counts.undone > 0} />
          <PeriodFields {...part} isBegun={campaign.state !== 'draft' && campaign.state !== 'scheduled'} />
          <ColourFields {...part} contrast={campaign.contrast} />
        </fieldset>
        <CampaignPreview draft={draft} problems={{ ...missing, ...faults }} />
      </div>
      {/* On a phone the first button is several screens above the last field. */}
      <Button type="submit" variant="filled" color="encre" loading={busy} disabled={!isOpen} mt="md" hiddenFrom="sm">
        {t('campaigns.save')}
      </Button>
    </form>
  )
}

function PeriodFields({ draft, faults, set, isBegun }: DraftPart & { isBegun: boolean }) {
  const { t } = useTranslation()
  const { timezone } = useNewsletter()
  const opens = instantOf(draft.startsAt, timezone)
  const begins = !isBegun && opens !== null && Date.parse(opens) <= Date.now()
  return (
    <Section title={t('campaigns.period.title')}>
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        <DateField
          type="datetime-local"
          label={t('campaigns.period.opens')}
          description={t(begins ? 'campaigns.period.opensAtOnce' : 'campaigns.period.opensHint')}
          data-path="startsAt"
          value={draft.startsAt}
          error={faults.startsAt}
          onChange={(event) => set({ startsAt: event.currentTarget.value })}
        />
        <DateField
          type="datetime-local"
          label={t('campaigns.period.closes')}
          description={t('campaigns.period.closesHint')}
          data-path="endsAt"
          value={draft.endsAt}
          error={faults.endsAt}
          onChange={(event) => set({ endsAt: event.currentTarget.value })}
        />
        <NumberInput
          label={t('campaigns.period.cap')}
          description={t('campaigns.period.capHint')}
          min={1}
          max={10_000_000}
          allowDecimal={false}
          value={draft.cap ?? ''}
          error={faults.cap}
          onChange={(value) => set({ cap: value === '' ? null : Number(value) })}
        />
      </SimpleGrid>
      <p className={classes.quiet}>{t('campaigns.period.text', { timezone: todaysName(timezone) })}</p>
    </Section>
  )
}

function ColourFields({ draft, faults, set, contrast }: DraftPart & Pick<Campaign, 'contrast'>) {
  const { t } = useTranslation()
  const format = useFormat()
  const { accent: newsletterAccent } = useNewsletter()
  return (
    <Section title={t('campaigns.colours.title')}>
      <ColorInput
        label={t('campaigns.colours.accent')}
        description={t('campaigns.colours.hint')}
        placeholder={t('campaigns.colours.own')}
        {...(draft.accent === '' && { leftSection: <ColorSwatch color={newsletterAccent} size={18} /> })}
        format="hex"
        eyeDropperButtonProps={{ 'aria-label': t('newsletters.branding.eyeDropper') }}
        value={draft.accent}
        error={faults.accent}
        onChange={(accent) => set({ accent })}
        maw={260}
      />
      <p className={classes.quiet}>
        {t('campaigns.colours.contrast', { day: format.number(contrast.day), night: format.number(contrast.night) })}
      </p>
    </Section>
  )
}
