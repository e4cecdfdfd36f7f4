import { Button, Switch } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type SponsorshipSettings, updateSponsorship } from '../../server/sponsorship/contract.ts'
import { type HouseCampaign, updateHouseCampaign } from '../../server/sponsorship/house/contract.ts'
import { call } from '../api.ts'
import { useFormat } from '../format.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { IconPlus } from '../ui/icons.ts'
import { QueryContent } from '../ui/query-content.tsx'
import { Section } from '../ui/section.tsx'
import { HouseDialog } from './house-dialog.tsx'
import { houseQuery, sponsorshipKey } from './queries.ts'
import classes from './sponsorship.module.css'

/** What stands in slots that nobody booked, and who sees sponsors at all. */
export function HouseSection({ settings }: { settings: SponsorshipSettings }) {
  const { t } = useTranslation()
  const { id: newsletterId, may } = useNewsletter()
  const query = useQuery(houseQuery(newsletterId))
  const [editing, edit] = useState<HouseCampaign | 'new' | null>(null)
  const { error, busy, change } = useChange()
  const mayWrite = may('sponsorship.write')
  return (
    <Section title={t('sponsorship.house.title')} lead={t('sponsorship.house.lead')}>
      <QueryContent query={query}>
        {({ campaigns }) => (
          <ul className={classes.list}>
            {campaigns.map((campaign) => (
              <Row key={campaign.id} campaign={campaign} edit={() => edit(campaign)} />
            ))}
          </ul>
        )}
      </QueryContent>
      {mayWrite && (
        <Button mt="lg" onClick={() => edit('new')} leftSection={<IconPlus size={15} stroke={1.6} />}>
          {t('sponsorship.house.add')}
        </Button>
      )}
      <Switch
        mt="lg"
        disabled={!mayWrite}
        label={t('sponsorship.house.hide')}
        description={t('sponsorship.house.hideHint')}
        checked={settings.hideFromPaid}
        // While a change is under way it ignores a press. Disabled, it would lose the focus.
        onChange={({ currentTarget: { checked } }) => {
          if (busy) return
          void change(() => call(updateSponsorship, { params: { newsletterId }, body: { hideFromPaid: checked } }))
        }}
      />
      <ErrorNotice error={error} />
      {editing && <HouseDialog campaign={editing === 'new' ? null : editing} onClose={() => edit(null)} />}
    </Section>
  )
}

function Row({ campaign, edit }: { campaign: HouseCampaign; edit: () => void }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { id: newsletterId, may } = useNewsletter()
  const { error, busy, change } = useChange()
  const { id, name, on, shown, shownAt, startsAt, endsAt } = campaign
  const details = [
    startsAt && t('sponsorship.house.from', { day: format.dayOfYear(startsAt) }),
    endsAt && t('sponsorship.house.until', { day: format.dayOfYear(endsAt) }),
    shownAt
      ? t('sponsorship.house.shown', { count: shown, n: format.number(shown), day: format.dayOfYear(shownAt) })
      : t('sponsorship.house.neverShown'),
  ]
  return (
    <li>
      <div>
        <b>{name}</b> {!on && <small>({t('sponsorship.house.off')})</small>}
        <p className={classes.quiet}>{details.filter(Boolean).join(' · ')}</p>
        <ErrorNotice error={error} />
      </div>
      {may('sponsorship.write') && (
        <div className={classes.acts}>
          <Button size="xs" onClick={edit} aria-label={t('sponsorship.house.editOne', { name })}>
            {t('sponsorship.edit')}
          </Button>
          <Button
            size="xs"
            variant="subtle"
            loading={busy}
            onClick={() =>
              void change(() =>
                call(updateHouseCampaign, { params: { newsletterId, houseCampaignId: id }, body: { on: !on } }),
              )
            }
          >
            {t(on ? 'sponsorship.house.switchOff' : 'sponsorship.house.switchOn')}
          </Button>
        </div>
      )}
    </li>
  )
}

/** Saves a change and draws what it concerns anew. */
function useChange() {
  const { t } = useTranslation()
  const { id } = useNewsletter()
  const queries = useQueryClient()
  const [error, setError] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  const change = async (save: () => Promise<unknown>) => {
    setBusy(true)
    setError(null)
    try {
      await save()
      await queries.invalidateQueries({ queryKey: sponsorshipKey(id) })
      notifications.show({ message: t('sponsorship.house.saved') })
    } catch (refusal) {
      setError(refusal)
    }
    setBusy(false)
  }
  return { error, busy, change }
}
