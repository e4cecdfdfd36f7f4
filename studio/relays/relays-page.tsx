import { Alert, Anchor, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { WhoMayChange } from '../newsletters/who-may-change.tsx'
import { useNewsletter } from '../shell/newsletter.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { IconInbox, IconPlus } from '../ui/icons.ts'
import { PageTitle } from '../ui/page-title.tsx'
import { QueryContent } from '../ui/query-content.tsx'
import { Section } from '../ui/section.tsx'
import { StatusMark } from '../ui/status-mark.tsx'
import { LeaveGuard } from '../ui/unsaved.tsx'
import { DomainLimits } from './domain-limits.tsx'
import { type Relays, relaysQuery } from './queries.ts'
import { RelayDrawer } from './relay-drawer.tsx'
import type { Relay } from './relay-form.ts'
import { RelayRow } from './relay-row.tsx'
import classes from './relays.module.css'

/** The relays for this newsletter's mail: their health, their limits, and which of them are used. */
export function RelaysPage() {
  const { t } = useTranslation()
  const { id, may } = useNewsletter()
  const relays = useQuery({ ...relaysQuery(id), enabled: may('relays.read') })
  const [edited, setEdited] = useState<Relay | 'new' | null>(null)
  const add = may('relays.manage') && (
    <Button
      variant="filled"
      color="encre"
      onClick={() => setEdited('new')}
      leftSection={<IconPlus size={15} stroke={1.6} aria-hidden="true" />}
    >
      {t('relays.ui.add')}
    </Button>
  )
  return (
    <>
      <PageTitle title={t('shell.settings.relays')} lead={t('relays.ui.lead')}>
        {(relays.data?.relays.length ?? 0) > 0 && add}
      </PageTitle>
      <LeaveGuard />
      {!may('relays.read') ? (
        <Alert color="ocre">{t('relays.ui.editorsOnly')}</Alert>
      ) : (
        <QueryContent query={relays}>
          {(data) => (
            <>
              <Route relays={data} />
              <WhoMayChange need="relays.manage" />
              <Own relays={data} add={add} edit={setEdited} />
              {(data.relays.length > 0 || data.domainLimits.length > 0) && (
                <DomainLimits key={data.domainLimits.length} limits={data.domainLimits} />
              )}
              <RelayDrawer edited={edited} plan={data.warmUpPlan} onClose={() => setEdited(null)} />
            </>
          )}
        </QueryContent>
      )}
    </>
  )
}

/** Says which relays send the mail when the newsletter has none of its own. */
function Route({ relays: { route, instance, relays: own } }: { relays: Relays }) {
  const { t } = useTranslation()
  if (route === 'own') return null
  const allOff = own.length > 0
  if (route === 'caught') {
    return (
      <Alert
        color="ocre"
        mb="lg"
        icon={<IconInbox size={18} stroke={1.6} aria-hidden="true" />}
        title={t('relays.ui.route.caughtTitle')}
      >
        {t(allOff ? 'relays.ui.route.allOffCaught' : 'relays.ui.route.caught')}{' '}
        <Anchor component={Link} to="/outbox" inherit>
          {t('relays.ui.route.outbox')}
        </Anchor>
      </Alert>
    )
  }
  return (
    <Section title={t('relays.ui.route.title')}>
      <p className={classes.hint}>{t(`relays.ui.route.${allOff ? 'allOff' : route}`)}</p>
      <ul className={classes.instance}>
        {instance.map((one) => (
          <li key={one.name + one.place}>
            <b>{one.name}</b>
            <span>{t(`relays.ui.kind.${one.kind}`)}</span>
            <span className={classes.mono}>{one.place}</span>
            <StatusMark shape={one.resting ? 'paused' : 'sent'}>
              {t(one.resting ? 'relays.ui.state.restingNow' : 'relays.ui.state.working')}
            </StatusMark>
          </li>
        ))}
      </ul>
    </Section>
  )
}

interface OwnProps {
  relays: Relays
  add: React.ReactNode
  edit: (relay: Relay) => void
}

function Own({ relays, add, edit }: OwnProps) {
  const { t } = useTranslation()
  if (relays.relays.length === 0) {
    return (
      <div className={classes.none}>
        <EmptyState title={t('relays.ui.none')} action={add}>
          {add && t('relays.ui.noneText')}
        </EmptyState>
      </div>
    )
  }
  return (
    <Section title={t('relays.ui.own')}>
      <ul className={classes.rows}>
        {relays.relays.map((relay) => (
          <RelayRow key={relay.id} relay={relay} plan={relays.warmUpPlan} edit={() => edit(relay)} />
        ))}
      </ul>
    </Section>
  )
}
