import { Button, NumberInput, SegmentedControl, Switch, Textarea, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { createPlan, type Plan, type PriceShape, setPrices, updatePlan } from '../../../server/charge/plans/contract.ts'
import { studioPaths } from '../../../server/http/studio-paths.ts'
import { type Language, languages } from '../../../server/languages.ts'
import { call } from '../../api.ts'
import { useLanguage, useLanguageNames } from '../../language.ts'
import { useCurrencies } from '../../newsletters/use-currencies.ts'
import { WhoMayChange } from '../../newsletters/who-may-change.tsx'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import type { Faults } from '../../ui/faults.ts'
import { useMarkedForm } from '../../ui/marked-form.ts'
import { PageTitle } from '../../ui/page-title.tsx'
import { Section } from '../../ui/section.tsx'
import { LeaveGuard } from '../../ui/unsaved.tsx'
import classes from '../charge.module.css'
import { chargeKey, overviewQuery } from '../queries.ts'
import { planName } from '../words.ts'
import { ClosePlan } from './close-plan.tsx'
import { HoldersSection } from './holders-section.tsx'
import { MoveChoice } from './move-choice.tsx'
import { OpensSection } from './opens-section.tsx'
import { PlanPreview } from './plan-preview.tsx'
import { draftOf, faultsInPrices, movesOf, type PriceDraft, priceOf, samePrices } from './price-draft.ts'
import { PriceFields } from './price-fields.tsx'
import { PriceMovesSection } from './price-moves-section.tsx'

interface Draft {
  kind: Plan['kind']
  words: Record<Language, { name: string; promise: string }>
  prices: PriceDraft[]
  trialDays: number
  devices: number
  places: number | null
  payMore: boolean
  giftable: boolean
  shown: boolean
}

const noWords = { name: '', promise: '' }
const wordsOf = (plan: Plan | null) =>
  Object.fromEntries(languages.map((one) => [one, plan?.words[one] ?? noWords])) as Draft['words']

/** Whether a plan is already so: the audit has a line for each part that was changed, and for no other. */
const isIn = (body: object, plan: Plan): boolean =>
  Object.entries(body).every(([name, value]) => JSON.stringify(value) === JSON.stringify(plan[name as keyof Plan]))

/** The words, prices and limits of a plan, beside what a visitor will see. */
export function PlanEditor({ plan, hasFree }: { plan: Plan | null; hasFree: boolean }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const { id: newsletterId, may } = useNewsletter()
  const takesCards = useQuery(overviewQuery(newsletterId)).data?.begun.card ?? true
  const currencies = useCurrencies('plans')
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [draft, setDraft] = useState<Draft>(() => ({
    kind: plan?.kind ?? 'paid',
    words: wordsOf(plan),
    prices:
      plan?.prices
        .toSorted((a, b) => currencies.indexOf(a.currency) - currencies.indexOf(b.currency))
        .map((price, at) => draftOf(price, at, language)) ?? [],
    trialDays: plan?.trialDays ?? 0,
    devices: plan?.devices ?? 4,
    places: plan?.places ?? null,
    payMore: plan?.payMore ?? false,
    giftable: plan?.giftable ?? false,
    shown: plan?.shown ?? true,
  }))
  const [moveOutside, setMoveOutside] = useState(false)
  // What was saved stays so when the prices are refused, and the next try is about the rest.
  const [stored, setStored] = useState(plan)
  const set = (values: Partial<Draft>) => {
    setDraft((before) => ({ ...before, ...values }))
    forget()
  }
  const prices = draft.prices.map((price) => priceOf(price, draft.payMore, language))
  const readable = prices.filter((price): price is PriceShape => price !== null)
  const words = Object.fromEntries(Object.entries(draft.words).filter(([, { name }]) => name.trim() !== ''))
  const moves = plan ? movesOf(plan, readable) : []
  const save = async () => {
    const { kind, trialDays, devices, places, payMore, giftable, shown } = draft
    const body = { words, trialDays, devices, places, payMore, giftable, shown }
    const made = { ...body, kind, prices: kind === 'paid' ? readable : [] }
    const saved = !stored
      ? await call(createPlan, { params: { newsletterId }, body: made })
      : isIn(body, stored)
        ? stored
        : await call(updatePlan, { params: { newsletterId, planId: stored.id }, body })
    setStored(saved)
    if (kind === 'paid' && !samePrices(readable, saved.prices)) {
      const params = { newsletterId, planId: saved.id }
      await call(setPrices, { params, body: { prices: readable, moveOutside: moveOutside && moves.length > 0 } })
    }
    await queries.invalidateQueries({ queryKey: chargeKey(newsletterId) })
    notifications.show({ message: t('plans.saved') })
    await navigate(studioPaths.chargePlans)
  }
  const { form, faults, error, busy, isUnsaved, submit, forget, unmark } = useMarkedForm({
    values: draft,
    find: () => ({
      ...(Object.keys(words).length === 0 && { [`words.${language}.name`]: t('errors.fields.required') }),
      ...(draft.kind === 'paid' && faultsInPrices(draft, language, t)),
    }),
    send: save,
  })
  const part = { draft, faults, set }
  return (
    <form ref={form} onSubmit={(event) => void submit(event)} noValidate data-unsaved={isUnsaved || undefined}>
      <LeaveGuard />
      <p className={`${classes.small} ${classes.back}`}>
        <Link to={studioPaths.chargePlans}>{t('plans.editor.all')}</Link>
      </p>
      <PageTitle isName title={plan ? planName(plan, language) : t('plans.new')}>
        {may('charge.write') && (
          <Button type="submit" variant="filled" color="encre" loading={busy}>
            {t('plans.save')}
          </Button>
        )}
      </PageTitle>
      <WhoMayChange need="charge.write" />
      <ErrorNotice error={error} fields={placesOf(faults, t)} />
      <div className={classes.columns}>
        <fieldset disabled={!may('charge.write')} className={classes.plain}>
          {!plan && !hasFree && (
            <SegmentedControl
              mb="md"
              aria-label={t('plans.editor.kind')}
              data={(['paid', 'free'] as const).map((value) => ({ value, label: t(`plans.editor.kinds.${value}`) }))}
              value={draft.kind}
              onChange={(value) => set({ kind: value as Plan['kind'] })}
            />
          )}
          <Words {...part} />
          {draft.kind === 'paid' && (
            <>
              <Section title={t('plans.editor.prices')}>
                <PriceFields
                  drafts={draft.prices}
                  faults={faults}
                  change={(next) => {
                    if (next.length > draft.prices.length) unmark()
                    set({ prices: next })
                  }}
                  payMore={draft.payMore}
                  holders={plan?.holders ?? []}
                />
              </Section>
              <MoveChoice moves={moves} moveOutside={moveOutside} choose={setMoveOutside} />
              <Limits {...part} takesCards={takesCards} />
            </>
          )}
          {/* On a phone the first button is several screens above the last field. */}
          {may('charge.write') && (
            <Button type="submit" variant="filled" color="encre" loading={busy} mt="md" hiddenFrom="sm">
              {t('plans.save')}
            </Button>
          )}
        </fieldset>
        <div>
          <PlanPreview
            words={words}
            prices={readable}
            trialDays={draft.trialDays}
            payMore={draft.payMore}
            isSold={takesCards || draft.kind === 'free'}
          />
          {plan?.kind === 'paid' && <HoldersSection plan={plan} />}
          {plan?.kind === 'paid' && <OpensSection planId={plan.id} />}
          {plan?.kind === 'paid' && <PriceMovesSection plan={plan} />}
          {plan?.kind === 'paid' && may('charge.write') && <ClosePlan plan={plan} />}
        </div>
      </div>
    </form>
  )
}

/** Where on the page the marked fields are. */
const placesOf = (faults: Faults, t: TFunction): string[] => [
  ...new Set(
    Object.keys(faults).map((path) => {
      const [part] = path.split('.')
      return t(`plans.editor.${part === 'words' || part === 'prices' ? part : 'limits'}`)
    }),
  ),
]

interface Part {
  draft: Draft
  faults: Faults
  set: (values: Partial<Draft>) => void
}

function Words({ draft, faults, set }: Part) {
  const { t } = useTranslation()
  const languageNames = useLanguageNames(useNewsletter().language)
  return (
    <Section
      title={t('plans.editor.words')}
      aside={<span className={classes.small}>{t('plans.editor.wordsHint')}</span>}
    >
      <div className={classes.fields}>
        {languageNames.map(({ value, name }) => {
          const change = (part: Partial<Draft['words'][Language]>) =>
            set({ words: { ...draft.words, [value]: { ...draft.words[value], ...part } } })
          return (
            <div key={value} className={classes.form} lang={value}>
              <TextInput
                label={t('plans.editor.name', { language: name })}
                maxLength={60}
                value={draft.words[value].name}
                error={faults[`words.${value}.name`]}
                onChange={(event) => change({ name: event.currentTarget.value })}
              />
              <Textarea
                label={t('plans.editor.promise', { language: name })}
                maxLength={280}
                autosize
                minRows={2}
                value={draft.words[value].promise}
                error={faults[`words.${value}.promise`]}
                onChange={(event) => change({ promise: event.currentTarget.value })}
              />
            </div>
          )
        })}
      </div>
    </Section>
  )
}

function Limits({ draft, faults, set, takesCards }: Part & { takesCards: boolean }) {
  const { t } = useTranslation()
  return (
    <Section title={t('plans.editor.limits')}>
      <div className={classes.fields}>
        <NumberInput
          label={t('plans.editor.trial')}
          min={0}
          max={365}
          allowDecimal={false}
          value={draft.trialDays}
          error={faults.trialDays}
          description={takesCards ? null : t('plans.editor.trialByCard')}
          onChange={(value) => set({ trialDays: Number(value) })}
        />
        <NumberInput
          label={t('plans.editor.devices')}
          min={1}
          max={100}
          allowDecimal={false}
          value={draft.devices}
          error={faults.devices}
          onChange={(value) => set({ devices: Number(value) })}
        />
        <NumberInput
          label={t('plans.editor.places')}
          placeholder={t('plans.editor.noLimit')}
          min={1}
          allowDecimal={false}
          value={draft.places ?? ''}
          error={faults.places}
          onChange={(value) => set({ places: value === '' ? null : Number(value) })}
        />
      </div>
      <Switch
        mt="md"
        label={t('plans.editor.payMore')}
        checked={draft.payMore}
        onChange={(event) => set({ payMore: event.currentTarget.checked })}
      />
      <Switch
        mt="sm"
        label={t('boughtGifts.giftable')}
        description={t('boughtGifts.giftableHint')}
        checked={draft.giftable}
        onChange={(event) => set({ giftable: event.currentTarget.checked })}
      />
      <Switch
        mt="sm"
        label={t('plans.editor.shown')}
        checked={draft.shown}
        onChange={(event) => set({ shown: event.currentTarget.checked })}
      />
    </Section>
  )
}
