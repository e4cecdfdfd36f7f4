import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { type Placement, updatePlacement } from '../../server/sponsorship/contract.ts'
import { call } from '../api.ts'
import { useLanguage } from '../language.ts'
import { WhoMayChange } from '../newsletters/who-may-change.tsx'
import { useNewsletter } from '../shell/newsletter.tsx'
import { isToBegin } from '../shell/way-back.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { IconPlus } from '../ui/icons.ts'
import { PageTitle } from '../ui/page-title.tsx'
import { QueryContent } from '../ui/query-content.tsx'
import { LeaveGuard } from '../ui/unsaved.tsx'
import { HouseSection } from './house-section.tsx'
import { PageSection } from './page-section.tsx'
import { PlacementDialog } from './placement-dialog.tsx'
import { placementsQuery, sponsorshipKey } from './queries.ts'
import classes from './sponsorship.module.css'
import { WeekdaysSection } from './weekdays-section.tsx'
import { limitsText, placementName, sumText } from './words.ts'

/** What sponsors can buy, and on which days. */
export function PlacementsPage() {
  const { t } = useTranslation()
  const { id, may } = useNewsletter()
  const query = useQuery(placementsQuery(id))
  const { state } = useLocation()
  const [editing, edit] = useState<Placement | 'new' | null>(isToBegin(state) ? 'new' : null)
  const add = may('sponsorship.write') && (
    <Button
      variant="filled"
      color="encre"
      onClick={() => edit('new')}
      leftSection={<IconPlus size={15} stroke={1.6} />}
    >
      {t('sponsorship.add')}
    </Button>
  )
  return (
    <>
      <PageTitle title={t('shell.titles.placements')} lead={t('sponsorship.placementsLead')}>
        {query.data && query.data.placements.length > 0 && add}
      </PageTitle>
      <LeaveGuard />
      <WhoMayChange need="sponsorship.write" />
      <QueryContent query={query}>
        {({ placements, settings }) => (
          <>
            {placements.length === 0 ? (
              <EmptyState title={t('sponsorship.none')} action={add}>
                {add && t('sponsorship.noneText')}
              </EmptyState>
            ) : (
              <ul className={classes.list}>
                {placements.map((placement) => (
                  <Row key={placement.id} placement={placement} edit={() => edit(placement)} />
                ))}
              </ul>
            )}
            <WeekdaysSection weekdays={settings.weekdays} />
            <HouseSection settings={settings} />
            <PageSection settings={settings} />
          </>
        )}
      </QueryContent>
      {editing && <PlacementDialog placement={editing === 'new' ? null : editing} onClose={() => edit(null)} />}
    </>
  )
}

function Row({ placement, edit }: { placement: Placement; edit: () => void }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const { id: newsletterId, may } = useNewsletter()
  const queries = useQueryClient()
  const [error, setError] = useState<unknown>(null)
  const name = placementName(placement, language)
  const prices = Object.entries(placement.prices) as [keyof typeof placement.prices, number][]
  const change = async (closed: boolean) => {
    setError(null)
    try {
      await call(updatePlacement, { params: { newsletterId, placementId: placement.id }, body: { closed } })
      await queries.invalidateQueries({ queryKey: sponsorshipKey(newsletterId) })
      notifications.show({ message: t('sponsorship.saved') })
    } catch (refusal) {
      setError(refusal)
    }
  }
  const details = [
    t(`sponsorship.places.${placement.place}`),
    limitsText(t, placement),
    placement.seats > 1 ? t('sponsorship.seatsOf', { count: placement.seats }) : '',
    t('sponsorship.due', { count: placement.leadDays }),
  ]
  return (
    <li>
      <div>
        <b>{name}</b> {placement.closedAt && <small>({t('sponsorship.closed')})</small>}
        <p className={classes.quiet}>{details.filter(Boolean).join(' · ')}</p>
        <p className={classes.quiet}>
          {prices.length === 0
            ? t('sponsorship.noPrice')
            : prices.map(([currency, amount]) => sumText({ currency, amount }, language)).join(' · ')}
        </p>
        <ErrorNotice error={error} />
      </div>
      {may('sponsorship.write') && (
        <div className={classes.acts}>
          <Button size="xs" onClick={edit} aria-label={t('sponsorship.editOne', { name })}>
            {t('sponsorship.edit')}
          </Button>
          <Button
            size="xs"
            variant="subtle"
            aria-label={t(placement.closedAt === null ? 'sponsorship.closeOne' : 'sponsorship.openOne', { name })}
            onClick={() => void change(placement.closedAt === null)}
          >
            {t(placement.closedAt === null ? 'sponsorship.close' : 'sponsorship.open')}
          </Button>
        </div>
      )}
    </li>
  )
}
