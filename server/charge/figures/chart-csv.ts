import { csvText } from '../../database/csv.ts'
import type { Language } from '../../languages.ts'
import { digitsOf } from '../money.ts'
import type { Chart } from './contract.ts'
import type { Figures } from './figures.ts'

type Value = string | number | null

/** A chart of the page of figures as CSV, with its line of names. They are those of the API in every language, for programs. */
export function chartCsv(figures: Figures, chart: Chart, sheet?: Language): string {
  const { names, rows } = tables[chart](figures, sheet)
  return csvText([names, ...rows], sheet)
}

interface Table {
  names: string[]
  rows: Value[][]
}

/** A sum in the unit of its currency, such as 12.50. */
const sum = (amount: number, currency: string): number =>
  Number((amount / 10 ** digitsOf(currency)).toFixed(digitsOf(currency)))

/** The monthly figure of a sum of a year. A twelfth can have more digits than the currency, and rounding them would not add up. */
const monthly = (yearly: number, currency: string): number =>
  Number((yearly / 12 / 10 ** digitsOf(currency)).toFixed(4))

const tables: Record<Chart, (figures: Figures, sheet?: Language) => Table> = {
  movements: ({ recurring, recurringBefore, by, currency }) => ({
    names: [by, 'currency', 'new', 'expansion', 'reactivation', 'contraction', 'churn', 'end'],
    rows: [...recurringBefore.points, ...recurring.points].map((point) => [
      by === 'month' ? point.since.slice(0, 7) : point.since,
      currency,
      ...[point.new, point.expansion, point.reactivation, point.contraction, point.churn, point.end].map((yearly) =>
        monthly(yearly, currency ?? ''),
      ),
    ]),
  }),
  plans: ({ plans }, sheet = 'en') => ({
    names: [
      ...['plan', 'period', 'paid', 'late', 'leaving', 'outside', 'trial', 'paused', 'complimentary', 'gift'],
      'change_of_paying',
    ],
    rows: plans.map(({ planId, names, period, ...plan }) => [
      ...[
        names[sheet] ?? names.en ?? names.fr ?? String(planId),
        period,
        plan.paid,
        plan.late,
        plan.leaving,
        plan.outside,
      ],
      ...[plan.trial, plan.paused, plan.complimentary, plan.gift, plan.change],
    ]),
  }),
  trials: ({ range, before, trials, trialsBefore }) => ({
    names: ['from', 'to', 'begun', 'finished', 'paying'],
    rows: [
      [before.from, before.to, trialsBefore.begun, trialsBefore.finished, trialsBefore.paying],
      [range.from, range.to, trials.begun, trials.finished, trials.paying],
    ],
  }),
  refunds: ({ range, before, money, moneyBefore }) => ({
    names: ['from', 'to', 'currency', 'payments', 'paid', 'refunds', 'refunded', 'disputes', 'disputed'],
    rows: [...moneyBefore.map((each) => ({ ...each, ...before })), ...money.map((each) => ({ ...each, ...range }))].map(
      ({ from, to, currency, ...each }) => [
        ...[from, to, currency, each.payments, sum(each.paid, currency)],
        ...[each.refunds, sum(each.refunded, currency), each.disputes, sum(each.disputed, currency)],
      ],
    ),
  }),
  publications: ({ publications, currency }) => ({
    names: ['publication', 'number', 'title', 'sales', 'currency', 'amount'],
    rows: publications.map(({ origin, number, title, sales, amount }) => [
      ...[origin, number, title, sales, currency, sum(amount, currency ?? '')],
    ]),
  }),
  sources: ({ sources, currency }) => ({
    names: ['source', 'sales', 'currency', 'amount'],
    rows: sources.map(({ origin, sales, amount }) => [origin, sales, currency, sum(amount, currency ?? '')]),
  }),
  currencies: ({ range, before, money, moneyBefore }) => ({
    names: ['from', 'to', 'currency', 'payments', 'paid', 'refunded', 'disputed', 'tax', 'fee', 'net'],
    rows: [...moneyBefore.map((each) => ({ ...each, ...before })), ...money.map((each) => ({ ...each, ...range }))].map(
      ({ from, to, currency, payments, ...each }) => [
        ...[from, to, currency, payments],
        ...[each.paid, each.refunded, each.disputed, each.tax, each.fee, each.net].map((amount) =>
          sum(amount, currency),
        ),
      ],
    ),
  }),
}
