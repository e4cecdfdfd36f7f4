import { Button, Checkbox, Group, SegmentedControl, Select, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { readSum, typedSum } from '../../../server/charge/money.ts'
import { enterSubscription, HeldPlan } from '../../../server/charge/outside/contract.ts'
import type { Plan } from '../../../server/charge/plans/contract.ts'
import type { Language } from '../../../server/languages.ts'
import { ApiError, call } from '../../api.ts'
import { dayOf, endOfDay, monthsLater } from '../../day.ts'
import { useLanguage } from '../../language.ts'
import { useCurrencies } from '../../newsletters/use-currencies.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { DateField } from '../../ui/date-field.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { useServerForm } from '../../ui/server-form.ts'
import classes from '../charge.module.css'
import { chargeKey, plansQuery } from '../queries.ts'
import { amountIn } from '../typed-amount.ts'
import { planName, priceText } from '../words.ts'
import { HeldChoice } from './held-choice.tsx'
import { PaymentFields, type PaymentValues, paidMoment } from './payment-fields.tsx'

const ways = ['outside', 'complimentary', 'gift'] as const
interface Values extends PaymentValues, Record<string, unknown> {
  email: string
  name: string
  way: (typeof ways)[number]
  planId: string
  priceId: string
  until: string
  note: string
  tell: boolean
  ifHeld: 'refuse' | 'behind' | 'beside'
}

const monthsOf = { month: 1, year: 12, once: 12 } as const

/** What a price says of the payment and the time, or that another sum was agreed. */
function chosen(price: Plan['prices'][number] | undefined, language: Language, today: string): Partial<Values> {
  if (!price) return { priceId: '' }
  return {
    priceId: String(price.id),
    amount: typedSum(price.amount, price.currency, language),
    currency: price.currency,
    until: monthsLater(today, price.months ?? monthsOf[price.period]),
  }
}

/** The price of a plan that has no other. */
const onlyPriceOf = (plan: Plan | undefined) => (plan?.prices.length === 1 ? plan.prices[0] : undefined)

/** What an entry was refused for, if it was for that. */
const heldIn = (refusal: unknown): HeldPlan | null =>
  refusal instanceof ApiError && refusal.code === 'plan_held' ? (HeldPlan.safeParse(refusal.detail).data ?? null) : null

type Found = HeldPlan & Pick<Values, 'email' | 'planId'> & { ends: Ends | null }

/** The end that the form gives by itself, by where the new time goes; null once somebody typed another. */
type Ends = Record<'behind' | 'beside', string>

/** What was found, while it is still that person and plan which are typed. */
const heldBy = (found: Found | null, { email, planId }: Pick<Values, 'email' | 'planId'>) =>
  found?.email === email && found.planId === planId ? found : null

/** Enters one subscription by hand: who, which plan, how it was paid, until when. */
export function EnterDialog({ onClose, email = '' }: { onClose: () => void; email?: string }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const { id, timezone } = useNewsletter()
  const currencies = useCurrencies('plans')
  const wayNames = { complimentary: t('plans.ways.complimentary'), gift: t('plans.ways.gift') }
  const today = dayOf(new Date(), timezone)
  const queries = useQueryClient()
  const { data } = useQuery(plansQuery(id))
  const plans = data?.plans.filter(({ kind, closedAt }) => kind === 'paid' && !closedAt) ?? []
  const planOf = (planId: string | null) => plans.find((plan) => String(plan.id) === planId)
  const priceOf = ({ planId, priceId }: Values) => planOf(planId)?.prices.find((price) => String(price.id) === priceId)
  /** As in a file, a sum that equals a price counts as that price: else it would be in no recurring revenue. */
  const equalPrice = ({ planId, amount, currency }: Values) => {
    const sum = readSum(amount, currency, language)
    const [equal, another] = (planOf(planId)?.prices ?? []).filter(
      (price) => price.currency === currency && price.amount === sum,
    )
    return another ? undefined : equal
  }
  const [found, setFound] = useState<Found | null>(null)
  const { form, error, busy, submit } = useServerForm<Values>(
    {
      initialValues: {
        ...{
          email,
          name: '',
          way: 'outside',
          planId: String(plans[0]?.id ?? ''),
          priceId: '',
          note: '',
          amount: '',
          tell: true,
          ifHeld: 'refuse',
        },
        ...{ currency: currencies[0] ?? 'eur', means: 'transfer', paidAt: today },
        until: monthsLater(today, 12),
        ...chosen(onlyPriceOf(plans[0]), language, today),
      },
    },
    async (values) => {
      const { way, planId, until, note, name, means, paidAt, tell } = values
      const isPaid = way === 'outside'
      const typed = { text: values.amount, currency: values.currency, language }
      const amount = isPaid ? amountIn('amount', typed, { t, zero: t('plans.enter.noSum', wayNames) }) : null
      const price = isPaid ? (priceOf(values) ?? equalPrice(values)) : undefined
      const ifHeld = heldBy(found, values) ? values.ifHeld : 'refuse'
      const body = {
        ...{ email: values.email, name: name || null, way, planId: Number(planId), note, tell, ifHeld },
        until: endOfDay(until, timezone),
        priceId: price?.id ?? null,
        payment: amount ? { amount, currency: values.currency, means, at: paidMoment(paidAt, timezone, t) } : null,
      }
      let mailStopped = false
      try {
        mailStopped = (await call(enterSubscription, { params: { newsletterId: id }, body })).mailStopped
      } catch (refusal) {
        const found = heldIn(refusal)
        if (!found) throw refusal
        askWhere(found, values)
        return
      }
      const done = mailStopped ? 'doneNoMail' : tell ? 'done' : 'doneUntold'
      notifications.show({
        message: t(`plans.enter.${done}`, { email: values.email }),
        ...(mailStopped && { color: 'ocre', autoClose: false }),
      })
      await queries.invalidateQueries({ queryKey: chargeKey(id) })
      onClose()
    },
  )
  const { values } = form
  const held = heldBy(found, values)
  const nameOf = (planId: string) => {
    const plan = planOf(planId)
    return plan ? planName(plan, language) : ''
  }
  /** The end that was typed counts from today, and moves behind what they have. */
  const askWhere = (one: HeldPlan, typed: Values) => {
    const months = priceOf(typed)?.months ?? monthsOf[priceOf(typed)?.period ?? 'once']
    const beside = monthsLater(today, months)
    const ends =
      one.until && one.canGoOn && typed.until === beside
        ? { beside, behind: monthsLater(dayOf(one.until, timezone), months) }
        : null
    setFound({ ...one, email: typed.email, planId: typed.planId, ends })
    form.setValues({ ifHeld: one.canGoOn ? 'behind' : 'refuse', ...(ends && { until: ends.behind }) })
  }
  const choosePlace = (ifHeld: keyof Ends) => {
    const ends = found?.ends
    const isOurs = ends && Object.values(ends).includes(values.until)
    form.setValues({ ifHeld, ...(isOurs && { until: ends[ifHeld] }) })
  }
  // An end that was moved for one person is not for another.
  useEffect(() => {
    if (!found || held) return
    if (found.ends && values.until === found.ends.behind) form.setFieldValue('until', found.ends.beside)
    setFound(null)
  }, [found, held, values.until, form])
  const showEqual = () => {
    const equal = values.priceId === '' ? equalPrice(values) : undefined
    if (equal) form.setFieldValue('priceId', String(equal.id))
  }
  const prices = planOf(values.planId)?.prices ?? []
  return (
    <Dialog opened onClose={onClose} title={t('plans.enter.title')}>
      <form onSubmit={submit} noValidate className={classes.form}>
        <SegmentedControl
          aria-label={t('plans.columns.how')}
          data={ways.map((value) => ({ value, label: t(`plans.ways.${value}`) }))}
          {...form.getInputProps('way')}
        />
        <TextInput
          type="email"
          label={t('plans.enter.email')}
          description={t('plans.enter.emailHint')}
          required
          {...form.getInputProps('email')}
        />
        <TextInput label={t('plans.enter.name')} maxLength={120} {...form.getInputProps('name')} />
        <div className={classes.pair}>
          <Select
            label={t('plans.columns.plan')}
            allowDeselect={false}
            data={plans.map((plan) => ({ value: String(plan.id), label: planName(plan, language) }))}
            {...form.getInputProps('planId')}
            onChange={(planId) =>
              form.setValues({ planId: planId ?? '', ...chosen(onlyPriceOf(planOf(planId)), language, today) })
            }
          />
          {values.way === 'outside' && (
            <Select
              label={t('plans.price.price')}
              placeholder={t('plans.enter.agreed')}
              clearable
              data={prices.map((price) => ({ value: String(price.id), label: priceText(t, price, language) }))}
              value={values.priceId || null}
              onChange={(priceId) =>
                form.setValues(chosen(priceOf({ ...values, priceId: priceId ?? '' }), language, today))
              }
            />
          )}
        </div>
        {values.way === 'outside' && <PaymentFields form={form} onSum={showEqual} />}
        <DateField
          label={t('plans.enter.until')}
          description={values.way === 'gift' ? undefined : t('plans.enter.untilHint')}
          required={values.way === 'gift'}
          {...form.getInputProps('until')}
        />
        <TextInput
          label={t('plans.enter.note')}
          description={t('plans.enter.noteHint')}
          maxLength={200}
          {...form.getInputProps('note')}
        />
        <Checkbox
          label={t('plans.enter.tell')}
          description={t('plans.enter.tellHint')}
          {...form.getInputProps('tell', { type: 'checkbox' })}
        />
        {held && (
          <HeldChoice
            held={held}
            email={held.email}
            plan={nameOf(held.planId)}
            value={values.ifHeld}
            onChange={choosePlace}
          />
        )}
        <ErrorNotice error={error} />
        <Group justify="flex-end" gap="sm">
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button
            type="submit"
            variant="filled"
            color="encre"
            loading={busy}
            disabled={!values.planId || (held !== null && values.ifHeld === 'refuse')}
          >
            {t('plans.enter.button')}
          </Button>
        </Group>
      </form>
    </Dialog>
  )
}
