import { Anchor, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { studioPaths } from '../../server/http/studio-paths.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { FirstSteps, Way } from '../ui/first-steps.tsx'
import classes from './charge.module.css'
import { EnterDialog } from './outside/enter-dialog.tsx'
import { PlansLink } from './plans/plans-link.tsx'
import { overviewQuery } from './queries.ts'

/** From nothing to somebody who reads what they paid for. */
export function ChargeSteps() {
  const { t } = useTranslation()
  const { id, may } = useNewsletter()
  const [entering, enter] = useState(false)
  const { data } = useQuery(overviewQuery(id))
  if (!data || !may('charge.write')) return null
  const { priced, entered, card, paywall } = data.begun
  const wordsOf = (step: 'plan' | 'pay' | 'paywall' | 'look') => ({
    title: t(`charge.steps.${step}.title`),
    text: t(`charge.steps.${step}.text`),
  })
  return (
    <>
      <FirstSteps
        steps={[
          {
            ...wordsOf('plan'),
            done: priced,
            way: !priced && <Way to="/charge/plans/new">{t('charge.steps.plan.action')}</Way>,
          },
          {
            ...wordsOf('pay'),
            done: entered || card,
            way: !card && (
              <Group gap="md">
                {priced && !entered && (
                  <Anchor component="button" type="button" onClick={() => enter(true)}>
                    {t('charge.steps.pay.byHand')}
                  </Anchor>
                )}
                {!priced && <span className={classes.small}>{t('charge.steps.pay.byHandLater')}</span>}
                <Way to={studioPaths.chargeStripe}>{t('charge.steps.pay.action')}</Way>
              </Group>
            ),
          },
          {
            ...wordsOf('paywall'),
            done: paywall,
            way: !paywall && <Way to={studioPaths.publish}>{t('charge.steps.paywall.action')}</Way>,
          },
          {
            ...wordsOf('look'),
            way: priced && <PlansLink />,
          },
        ]}
      />
      {entering && <EnterDialog onClose={() => enter(false)} />}
    </>
  )
}
