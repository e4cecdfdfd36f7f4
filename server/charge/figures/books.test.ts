import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { uuidv7 } from '../../database/ids.ts'
import { type KnownHistory, tellKnownHistory } from '../../testing/known-sales.ts'
import { startTestNewsletter, type TestNewsletter } from '../../testing/newsletter.ts'
import { storePayment } from '../payments.ts'
import type { Figures } from './figures.ts'

let server: TestNewsletter
let history: KnownHistory
beforeAll(async () => {
  server = await startTestNewsletter()
  history = await tellKnownHistory(server)
})
afterAll(() => server?.stop())

const year = 'from=2026-01-01&to=2026-12-31'

async function file(name: string, caller = server.owner): Promise<{ names: string[]; rows: Record<string, string>[] }> {
  const answer = await caller.call('GET', `${server.path}/charge/${name}`)
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8'])
  const [names = [], ...lines] = answer.body
    .trimEnd()
    .split('\n')
    .map((line) => line.split(','))
  return { names, rows: lines.map((line) => Object.fromEntries(names.map((key, place) => [key, line[place] ?? '']))) }
}

/** Cents, so that sums are exact. */
const sumOf = (rows: Record<string, string>[], column: string) =>
  rows.reduce((sum, row) => sum + Math.round(Number(row[column]) * 100), 0)

test('each row of the books is in the file, in order, as an accountant reads it', async () => {
  const { names, rows } = await file(`books.csv?${year}`)
  expect(names).toEqual([
    ...['Month', 'Day', 'Kind', 'Number', 'Plan', 'Currency', 'Amount with tax', 'Tax', 'Amount without tax', 'Fees'],
    ...['Left after fees', 'Country', 'Paid by', 'For the time from', 'For the time until', 'Gives back number'],
    ...['Number at Stripe', 'Time (UTC)', 'Name', 'Address', 'Note'],
  ])
  expect(rows).toHaveLength(18)
  expect(rows.map((row) => row['Time (UTC)'])).toEqual(rows.map((row) => row['Time (UTC)']).toSorted())
  expect(rows[1]).toMatchObject({
    ...{
      Month: '2026-02',
      Day: '2026-02-01',
      Kind: 'Payment',
      Plan: 'Supporter',
      Currency: 'EUR',
      'Amount with tax': '54.00',
    },
    ...{
      Tax: '9.00',
      'Amount without tax': '45.00',
      Fees: '1.50',
      'Left after fees': '52.50',
      Country: 'FR',
      'Paid by': 'Card',
    },
    ...{ 'Time (UTC)': '2026-01-31T23:30:00Z', Address: 'yearly@example.org' },
  })
  const refund = rows.find(({ Kind }) => Kind === 'Refund')
  expect(refund).toMatchObject({
    Day: '2026-07-06',
    'Amount with tax': '-6.00',
    Tax: '-1.00',
    'Left after fees': '-6.00',
  })
  expect(rows.find((row) => row.Number === refund?.['Gives back number'])).toMatchObject({ Day: '2026-06-05' })
})

test('both files balance with the figures, in every currency', async () => {
  const [each, months] = [(await file(`books.csv?${year}`)).rows, (await file(`books.csv?${year}&rows=months`)).rows]
  const { money } = (await server.owner.call('GET', `${server.path}/charge/figures?${year}`)).json<Figures>()
  expect(money.map(({ currency }) => currency)).toEqual(['eur', 'usd'])
  for (const { currency, feesToCome: _, ...sums } of money) {
    const isOf = (row: Record<string, string>) => row.Currency === currency.toUpperCase()
    const [rows, sumsOfMonths] = [each.filter(isOf), months.filter(isOf)]
    const kind = (name: string) => rows.filter(({ Kind }) => Kind === name)
    expect({
      payments: kind('Payment').length,
      paid: sumOf(kind('Payment'), 'Amount with tax'),
      refunds: kind('Refund').length,
      refunded: sumOf(kind('Refund'), 'Amount with tax'),
      disputes: kind('Dispute').length,
      disputed: sumOf(kind('Dispute'), 'Amount with tax'),
      tax: sumOf(rows, 'Tax'),
      fee: sumOf(rows, 'Fees'),
      net: sumOf(rows, 'Left after fees'),
    }).toEqual(sums)
    expect({
      paid: sumOf(sumsOfMonths, 'Paid'),
      refunded: sumOf(sumsOfMonths, 'Refunded'),
      disputed: sumOf(sumsOfMonths, 'Disputed'),
      tax: sumOf(sumsOfMonths, 'Tax'),
      fee: sumOf(sumsOfMonths, 'Fees'),
      net: sumOf(sumsOfMonths, 'Left after fees'),
    }).toEqual({ ...sums, payments: undefined, refunds: undefined, disputes: undefined })
  }
})

test('columns and plans are named in the language that is asked for', async () => {
  await sql`update plan set words = jsonb_set(words, '{fr,name}', '"Soutien"')`.execute(server.context.db)
  const { names, rows } = await file(`books.csv?${year}&namesIn=fr`)
  expect(names.slice(0, 10)).toEqual([
    ...['Mois', 'Jour', 'Nature', 'Numéro', 'Formule', 'Devise', 'Montant TTC', 'Taxe', 'Montant HT', 'Frais'],
  ])
  expect(rows.map(({ Nature }) => Nature)).toContain('Remboursement')
  expect(rows.map(({ Formule }) => Formule)).toContain('Soutien')
  const months = await file(`books.csv?${year}&rows=months&namesIn=fr`)
  expect(months.names).toEqual([
    ...[
      'Mois',
      'Pays',
      'Devise',
      'Paiements',
      'Encaissé',
      'Remboursé',
      'Contesté',
      'Taxe',
      'Montant HT',
      'Frais',
      'Reste après frais',
    ],
  ])
  expect(months.rows[0]).toMatchObject({ Mois: '2026-01', Pays: 'FR', Devise: 'EUR', Paiements: '1', Encaissé: '6.00' })
})

test('a spreadsheet in French opens what is asked for as one, and programs read commas and points', async () => {
  const read = async (name: string) => (await server.owner.call('GET', `${server.path}/charge/${name}`)).body
  const books = await read(`books.csv?${year}&namesIn=fr&sheet=fr`)
  expect(books.startsWith('\uFEFFMois;Jour;Nature;')).toBe(true)
  expect(books.split('\n').filter((line) => line.includes(';EUR;54,00;9,00;45,00;1,50;52,50;FR;Carte;'))).not.toEqual(
    [],
  )
  const months = await read(`books.csv?${year}&rows=months&namesIn=fr&sheet=fr`)
  expect(months).toContain('\n2026-01;FR;EUR;1;6,00;')
  const chart = `figures.csv?from=2026-07-01&to=2026-12-31&chart=movements`
  expect(await read(`${chart}&sheet=fr`)).toContain('\n2026-09;eur;6;0;4,5;0;0;43,5\n')
  const english = await read(`${chart}&sheet=en`)
  expect(english).toBe(`\uFEFF${await read(chart)}`)
  expect(english).toContain('\n2026-09,eur,6,0,4.5,0,0,43.5\n')
})

test('names, addresses and notes are for those who may export subscribers; everybody else sees the sums', async () => {
  const editor = await server.asMember(server.newsletterId, 'editor')
  const { names, rows } = await file(`books.csv?${year}`, editor)
  expect(names).not.toContain('Address')
  expect(rows).toHaveLength(18)
  const answer = await editor.call('GET', `${server.path}/charge/books.csv?${year}`)
  expect(answer.body).not.toContain('example.org')
  const { rows: lines } = (await server.owner.call('GET', `${server.path}/audit?kind=charge`)).json()
  expect(lines[0]).toMatchObject({
    act: 'books_exported',
    detail: { from: '2026-01-01', to: '2026-12-31', rows: 'each' },
  })
})

test('no spreadsheet runs what is in a file, and currencies without cents have none', async () => {
  const { db } = server.context
  const payment = {
    id: uuidv7(),
    kind: 'payment' as const,
    at: new Date('2025-03-01T10:00:00Z'),
    currency: 'jpy',
    amount: 1250,
  }
  await storePayment(db, server.newsletterId, {
    ...payment,
    means: '=1+1',
    note: '@SUM(A1)',
    source: '=HYPERLINK("x")',
  })
  const { rows } = await file('books.csv?from=2025-01-01&to=2025-12-31')
  expect(rows).toHaveLength(1)
  expect(rows[0]).toMatchObject({ 'Amount with tax': '1250', 'Paid by': "'=1+1", Note: "'@SUM(A1)" })
})

test('every chart has its file', async () => {
  const read = async (chart: string) =>
    (await server.owner.call('GET', `${server.path}/charge/figures.csv?from=2026-07-01&to=2026-12-31&chart=${chart}`))
      .body
  const movements = (await read('movements')).trimEnd().split('\n')
  expect(movements).toHaveLength(13)
  expect([movements[0], movements[9]]).toEqual([
    'month,currency,new,expansion,reactivation,contraction,churn,end',
    '2026-09,eur,6,0,4.5,0,0,43.5',
  ])
  expect(await read('plans')).toContain('Supporter,month,2,1,1,0,1,0,0,0,0\n')
  expect(await read('trials')).toBe(
    'from,to,begun,finished,paying\n2026-01-01,2026-06-30,2,2,1\n2026-07-01,2026-12-31,1,0,0\n',
  )
  expect(await read('refunds')).toContain('2026-07-01,2026-12-31,eur,4,120,1,-6,1,-6\n')
  expect(await read('publications')).toBe(
    `publication,number,title,sales,currency,amount\n,,,2,eur,60\n${history.publications[1]},,Low tide,2,eur,54\n`,
  )
  expect(await read('sources')).toBe('source,sales,currency,amount\npage,3,eur,60\n,1,eur,54\n')
  expect(await read('currencies')).toContain('2026-07-01,2026-12-31,usd,2,67,0,0,0,2.5,64.5\n')
  const bad = await server.owner.call('GET', `${server.path}/charge/figures.csv?chart=everything`)
  expect(bad.statusCode).toBe(422)
  await sql`update publication set title = '=cmd' where id = ${history.publications[1] ?? ''}`.execute(
    server.context.db,
  )
  expect(await read('publications')).toContain("'=cmd")
})
