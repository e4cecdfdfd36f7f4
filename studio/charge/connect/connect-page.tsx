import { Alert, Button, Code } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Connection, disconnectStripe } from '../../../server/charge/stripe/contract.ts'
import { call } from '../../api.ts'
import { WhoMayChange } from '../../newsletters/who-may-change.tsx'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { ConfirmDelete } from '../../ui/confirm-delete.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { QueryContent } from '../../ui/query-content.tsx'
import { Section } from '../../ui/section.tsx'
import classes from './connect.module.css'
import { ConnectSteps } from './connect-steps.tsx'
import { ConnectionState } from './connection-state.tsx'
import { connectionQuery } from './queries.ts'
import { TaxSwitches } from './tax-switches.tsx'

/** The account at Stripe: how to connect one, what its key may do, and how to part from it. */
export function ConnectPage() {
  const { t } = useTranslation()
  const { id, may } = useNewsletter()
  const connection = useQuery(connectionQuery(id))
  const [replacing, setReplacing] = useState(false)
  return (
    <>
      <PageTitle title={t('shell.titles.stripe')} lead={t('stripe.lead')} />
      <WhoMayChange need="charge.manage" />
      <QueryContent query={connection}>
        {({ connection: connected, webhookUrl, reachable, testSubscriptions }) => (
          <>
            {!reachable && (
              <Alert color="ocre" mb="lg">
                {t('stripe.unreachable', { url: webhookUrl })}
              </Alert>
            )}
            {!connected && testSubscriptions > 0 && (
              <Alert color="ocre" mb="lg">
                {t('stripe.keyGone')}
              </Alert>
            )}
            {connected && <ConnectionState connection={connected} webhookUrl={webhookUrl} />}
            {connected && may('charge.manage') && (
              <>
                <TaxSwitches connection={connected} />
                <Parting connection={connected} replacing={replacing} replace={setReplacing} />
              </>
            )}
            {may('charge.manage') && (!connected || replacing) && <ConnectSteps done={() => setReplacing(false)} />}
          </>
        )}
      </QueryContent>
    </>
  )
}

interface PartingProps {
  connection: Connection
  replacing: boolean
  replace: (replacing: boolean) => void
}

/** Another key, or none. */
function Parting({ connection, replacing, replace }: PartingProps) {
  const { t } = useTranslation()
  const { id } = useNewsletter()
  const queries = useQueryClient()
  const [asking, setAsking] = useState(false)
  const disconnect = async () => {
    await call(disconnectStripe, { params: { newsletterId: id } })
    replace(false)
    await queries.invalidateQueries({ queryKey: connectionQuery(id).queryKey })
  }
  return (
    <Section title={t('stripe.state.key')} aside={<Code>{connection.key}</Code>}>
      <div className={classes.actions}>
        <Button onClick={() => replace(!replacing)}>{t(replacing ? 'stripe.keep' : 'stripe.replace')}</Button>
        <Button color="rouge" onClick={() => setAsking(true)}>
          {t('stripe.disconnect.button')}
        </Button>
      </div>
      <ConfirmDelete
        opened={asking}
        onClose={() => setAsking(false)}
        title={t('stripe.disconnect.title')}
        confirm={t('stripe.disconnect.confirm')}
        onConfirm={disconnect}
      >
        {t('stripe.disconnect.text')}
      </ConfirmDelete>
    </Section>
  )
}
