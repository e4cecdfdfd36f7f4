import { Anchor, Button, PasswordInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { connectStripe } from '../../../server/charge/stripe/contract.ts'
import { call } from '../../api.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Section } from '../../ui/section.tsx'
import { useServerForm } from '../../ui/server-form.ts'
import classes from './connect.module.css'
import { connectionQuery } from './queries.ts'
import { Rights } from './rights.tsx'

const STRIPE_KEYS = 'https://dashboard.stripe.com/apikeys/create'

type Tried = Awaited<ReturnType<typeof tryKey>>
const tryKey = (newsletterId: string, key: string) => call(connectStripe, { params: { newsletterId }, body: { key } })

/** Four steps to a key. A right that is missing is named where the rights are listed, and the key stays in its field. */
export function ConnectSteps({ done }: { done: () => void }) {
  const { t } = useTranslation()
  const { id } = useNewsletter()
  const queries = useQueryClient()
  const [tried, setTried] = useState<Tried | null>(null)
  const { form, error, busy, submit } = useServerForm({ initialValues: { key: '' } }, async ({ key }) => {
    setTried(null)
    const outcome = await tryKey(id, key)
    setTried(outcome)
    if (!outcome.connected) return
    form.reset()
    await queries.invalidateQueries({ queryKey: connectionQuery(id).queryKey })
    done()
  })
  const missing = tried?.missing ?? []
  return (
    <Section title={t('stripe.connect')}>
      <ol className={classes.steps}>
        <Step title={t('stripe.step.open')}>
          <p>
            {t('stripe.step.openText')} <b>{t('stripe.step.openWhere')}</b>.
          </p>
          <Anchor href={STRIPE_KEYS} target="_blank" rel="noreferrer">
            {t('stripe.openStripe')}
          </Anchor>
        </Step>
        <Step title={t('stripe.step.rights')}>
          <Rights missing={missing} />
        </Step>
        <Step title={t('stripe.step.key')}>
          <form onSubmit={submit} noValidate className={classes.key}>
            <PasswordInput
              label={t('stripe.key')}
              description={t('stripe.keyHint')}
              placeholder="rk_live_…"
              autoComplete="off"
              visibilityToggleButtonProps={{ 'aria-label': t('relays.ui.showSecret'), tabIndex: 0 }}
              spellCheck={false}
              {...form.getInputProps('key')}
            />
            <div role="status">{tried && !tried.connected && <Missing tried={tried} />}</div>
            <ErrorNotice error={error} />
            <div>
              <Button
                type="submit"
                variant="filled"
                color="encre"
                loading={busy}
                disabled={form.getValues().key === ''}
              >
                {t(tried ? 'stripe.check' : 'stripe.connect')}
              </Button>
            </div>
          </form>
        </Step>
        <Step title={t('stripe.step.webhook')}>
          <p>{t('stripe.step.webhookText')}</p>
        </Step>
      </ol>
    </Section>
  )
}

function Step({ title, children }: { title: string; children: ReactNode }) {
  return (
    <li>
      <h3>{title}</h3>
      {children}
    </li>
  )
}

function Missing({ tried: { account, missing } }: { tried: Tried }) {
  const { t } = useTranslation()
  return (
    <div className={classes.missing}>
      <p>{account?.name ? t('stripe.worksFor', { name: account.name }) : t('stripe.works')}</p>
      {missing.map((right) => (
        <p key={right}>
          {t('stripe.lacks', { right: t(`stripe.right.${right}`), consequence: t(`stripe.without.${right}`) })}
        </p>
      ))}
    </div>
  )
}
