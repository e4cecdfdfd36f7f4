import { useTranslation } from 'react-i18next'
import { readRights, type StripeRight, stripeRights } from '../../../server/charge/stripe/contract.ts'
import classes from './connect.module.css'

/** The rights in the order and with the names of Stripe's own form, and which of them a key lacks. */
export function Rights({ missing }: { missing: readonly StripeRight[] }) {
  const { t } = useTranslation()
  return (
    <ul className={classes.rights}>
      {stripeRights.map((right) => {
        const reads = readRights.includes(right)
        const lacks = missing.includes(right)
        const state = lacks ? (reads ? 'lacksRead' : 'lacksWrite') : reads ? 'read' : 'write'
        return (
          <li key={right} data-missing={lacks || undefined}>
            <span>{t(`stripe.right.${right}`)}</span>
            <span>{t(`stripe.${state}`)}</span>
          </li>
        )
      })}
    </ul>
  )
}
