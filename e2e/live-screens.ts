import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { codeOf } from '../server/start-error.ts'
import { queryDataFolder } from '../server/testing/query-data-folder.ts'
import type { Translate } from '../server/translator.ts'
import { fewRetries } from '../studio/sending/delivery-states.ts'
import { expect } from './fixtures.ts'
import { live } from './live-stage.ts'

/** What the database and the folder of caught mail say. */
export interface Facts {
  state: 'sending' | 'sent'
  counts: Record<'accepted' | 'queued' | 'claimed' | 'deferred' | 'failed' | 'suppressed' | 'uncertain', number>
  intended: number
  active: number
  pending: number
  departed: number
  unsubscribes: number
  returned: number
  caught: number
}

interface Where {
  dataDir: string
  newsletterId: string
  publicationId: string
  /** Who reads the outbox. */
  email: string
}

/** Counts the rows themselves, not the counters that the pages read. */
export async function readFacts({ dataDir, newsletterId, publicationId, email }: Where): Promise<Facts> {
  const ofNewsletter = [newsletterId]
  const ofPublication = [newsletterId, publicationId]
  const [sendings, deliveries, people, leavers, returned] = await Promise.all([
    queryDataFolder<{ state: Facts['state'] }>(
      dataDir,
      'select state from sending where newsletter_id = $1 and publication_id = $2',
      ofPublication,
    ),
    queryDataFolder<{ state: keyof Facts['counts']; n: number }>(
      dataDir,
      `select case when k.subscriber_id is not null and d.state = 'queued' then 'claimed' else d.state end as state, count(*)::int as n
        from delivery d left join claimed_delivery k using (newsletter_id, publication_id, subscriber_id)
        where newsletter_id = $1 and publication_id = $2 group by 1`,
      ofPublication,
    ),
    queryDataFolder<{ status: string; n: number }>(
      dataDir,
      'select status, count(*)::int as n from subscriber where newsletter_id = $1 group by 1',
      ofNewsletter,
    ),
    queryDataFolder<{ n: number }>(
      dataDir,
      `select count(*)::int as n from event where newsletter_id = $1 and publication_id = $2 and kind = 'unsubscribed'`,
      ofPublication,
    ),
    queryDataFolder<{ n: number }>(
      dataDir,
      'select count(distinct subscriber_id)::int as n from feedback where newsletter_id = $1 and publication_id = $2',
      ofPublication,
    ),
  ])
  const of = (state: keyof Facts['counts']) => deliveries.find((row) => row.state === state)?.n ?? 0
  const are = (status: string) => people.find((row) => row.status === status)?.n ?? 0
  return {
    state: sendings[0]?.state ?? 'sending',
    counts: {
      accepted: of('accepted'),
      queued: of('queued'),
      claimed: of('claimed'),
      deferred: of('deferred'),
      failed: of('failed'),
      suppressed: of('suppressed'),
      uncertain: of('uncertain'),
    },
    intended: deliveries.reduce((sum, { n }) => sum + n, 0),
    active: are('active'),
    pending: are('pending'),
    departed: are('unsubscribed'),
    unsubscribes: leavers[0]?.n ?? 0,
    returned: returned[0]?.n ?? 0,
    caught: caughtMails(dataDir, { newsletterId, email }),
  }
}

function caughtMails(dataDir: string, { newsletterId, email }: Pick<Where, 'newsletterId' | 'email'>): number {
  const folder = join(dataDir, 'outbox')
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => {
      try {
        return [JSON.parse(readFileSync(join(folder, name), 'utf8'))]
      } catch (error) {
        // The oldest are deleted where there are too many.
        if (codeOf(error) === 'ENOENT') return []
        throw error
      }
    })
    .filter((mail) => mail.newsletterId === newsletterId || mail.envelope.to.join() === email).length
}

type Said = Record<string, string | null | boolean | (string | null)[]> & { live?: boolean }

export interface LiveScreen {
  /** Goes there as a person does, without loading the page anew. */
  open(page: Page, t: Translate): Promise<void>
  says(page: Page, t: Translate): Promise<Said>
  should(facts: Facts, t: Translate): Said
}

const nav = (page: Page, t: Translate) => page.getByRole('navigation', { name: t('shell.main') })
const digits = (text: string | null | undefined) => text?.match(/^\d+/)?.[0] ?? null
const finished = ({ counts: { accepted, failed, suppressed, uncertain } }: Facts) =>
  accepted + failed + suppressed + uncertain
/** What is not there is nothing, and not waited for: it may just have gone. */
const textOf = async (of: Locator) => (await of.allTextContents())[0] ?? null
const progressOf = (page: Page) =>
  page
    .getByRole('main')
    .getByRole('progressbar')
    .evaluateAll((bars) => bars.map((bar) => bar.getAttribute('aria-label')))
const isRetrying = ({ state, counts, intended }: Facts) =>
  fewRetries({ status: state }, { ...counts, intended, caught: 0 }) > 0
const isSent = ({ state }: Facts) => state === 'sent'

async function openList(page: Page, t: Translate): Promise<void> {
  await nav(page, t)
    .getByRole('link', { name: t('shell.nav.publish'), exact: true })
    .click()
  await expect(page.getByRole('heading', { name: t('shell.nav.publish') })).toBeVisible()
}

async function openResults(page: Page, t: Translate): Promise<void> {
  await openList(page, t)
  await page.getByRole('main').getByRole('listitem').getByRole('link').first().click()
  await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible()
}

/** The words and figures of a list of terms, in its order. */
const termsOf = async (page: Page, names: string[]) =>
  Promise.all(
    names.map((name) =>
      page
        .locator('main dl div')
        .filter({ has: page.locator('dt').getByText(name, { exact: true }) })
        .locator('dd')
        // What it is compared with stands behind it.
        .evaluateAll(([figure]) => figure?.firstChild?.textContent ?? null),
    ),
  )

const shownStates = ['accepted', 'queued', 'claimed', 'deferred', 'failed', 'suppressed', 'uncertain'] as const

const results: LiveScreen = {
  open: openResults,
  says: async (page, t) => ({
    live: await live(page, t).isVisible(),
    title: await textOf(page.getByRole('heading', { level: 2 })),
    progress: await progressOf(page),
    counts: await termsOf(page, [
      t('publish.press.intended'),
      t('delivery.results.unsubs'),
      t('delivery.results.returned'),
    ]),
    // A state that holds nothing may be left out.
    states: (
      await termsOf(
        page,
        shownStates.map((state) => t(`publish.state.${state}`)),
      )
    ).map((count) => count ?? '0'),
  }),
  should: (facts, t) => ({
    live: true,
    title: t(`publish.press.title.${isRetrying(facts) ? 'retrying' : facts.state}`),
    progress: [t('publish.press.of', { done: String(finished(facts)), of: String(facts.intended) })],
    // Before a copy is accepted there is nobody who could have left by one.
    counts: [
      String(facts.intended),
      ...[facts.unsubscribes, facts.returned].map((n) => (n > 0 || facts.counts.accepted > 0 ? String(n) : '—')),
    ],
    states: shownStates.map((state) => String(facts.counts[state])),
  }),
}

/** It does not call itself live, but its figures are those of the page above. */
const deliveries: LiveScreen = {
  async open(page, t) {
    await openResults(page, t)
    await page.getByRole('link', { name: t('publish.deliveries.every') }).click()
    await expect(page.getByRole('heading', { name: t('publish.deliveries.title') })).toBeVisible()
  },
  says: async (page) => ({ tabs: await page.getByRole('tab').allTextContents() }),
  should({ counts, intended, returned }, t) {
    const waiting = counts.queued + counts.claimed
    const shown = [
      [t('publish.deliveries.all'), intended],
      [t('publish.deliveries.tabs.accepted'), counts.accepted],
      ...(waiting > 0 ? [[t('publish.deliveries.tabs.waiting'), waiting]] : []),
      ...(returned > 0 ? [[t('publish.deliveries.tabs.returned'), returned]] : []),
    ]
    return { tabs: shown.map((tab) => tab.join(' ')) }
  },
}

const list: LiveScreen = {
  open: openList,
  says: async (page, t) => ({
    live: await live(page, t).isVisible(),
    tabs: await page.getByRole('tab').allTextContents(),
    groups: await page.getByRole('main').getByRole('heading', { level: 2 }).allTextContents(),
    progress: await progressOf(page),
  }),
  should: (facts, t) => ({
    live: true,
    tabs: [
      [t('publish.list.all'), 1],
      [t('publish.list.tabs.draft'), 0],
      [t('publish.list.tabs.scheduled'), 0],
      [t('publish.list.tabs.sent'), isSent(facts) ? 1 : 0],
      ...(isSent(facts) ? [] : [[t('publish.list.tabs.sending'), 1]]),
    ].map((tab) => tab.join(' ')),
    groups: [t(`publish.list.groups.${isSent(facts) ? 'sent' : isRetrying(facts) ? 'retrying' : 'press'}`)],
    progress: isSent(facts)
      ? []
      : [t('publish.press.of', { done: String(finished(facts)), of: String(facts.intended) })],
  }),
}

const dashboard: LiveScreen = {
  async open(page, t) {
    await nav(page, t)
      .getByRole('link', { name: t('shell.nav.dashboard'), exact: true })
      .click()
    await expect(page.getByRole('heading', { level: 1, name: t('dashboard.subscribers') })).toBeVisible()
  },
  says: async (page, t) => ({
    live: await page.getByRole('heading', { level: 1 }).getByText(t('ui.live'), { exact: true }).isVisible(),
    subscribers: digits(await textOf(page.getByRole('main').locator('h1 + div'))),
    facts: await termsOf(page, [t('dashboard.joined'), t('dashboard.departed'), t('dashboard.toConfirm')]),
    running: await progressOf(page),
    accepted: digits(
      (await page.locator(`td[data-column="${t('dashboard.accepted')}"]`).allTextContents()).join(' ') || null,
    ),
  }),
  should: (facts, t) => ({
    live: true,
    subscribers: String(facts.active),
    facts: [facts.active + facts.departed, facts.departed, facts.pending].map(String),
    running: isSent(facts)
      ? []
      : [t('dashboard.copies', { count: facts.intended, done: String(finished(facts)), of: String(facts.intended) })],
    accepted: String(facts.counts.accepted),
  }),
}

const outbox: LiveScreen = {
  async open(page, t) {
    await nav(page, t)
      .getByRole('link', { name: t('shell.nav.outbox'), exact: true })
      .click()
    await expect(page.getByRole('heading', { name: t('shell.nav.outbox') })).toBeVisible()
  },
  says: async (page, t) => ({
    live: await live(page, t).isVisible(),
    title: await textOf(page.getByRole('heading', { level: 1 })),
    rows: String(await page.getByRole('main').getByRole('listitem').count()),
  }),
  should: ({ caught }, t) => ({
    live: true,
    title: `${t('shell.nav.outbox')} ${caught}`,
    rows: String(caught),
  }),
}

export const screens: LiveScreen[] = [results, deliveries, list, dashboard, outbox]

/** The number beside *Subscribers* in the side bar, which is on every screen. */
export async function sideBarSays(page: Page, t: Translate): Promise<string | null> {
  const text = await textOf(nav(page, t).getByRole('link', { name: t('shell.nav.subscribers') }))
  return text?.match(/\d+$/)?.[0] ?? null
}

/** A copy that was accepted bounces for now, as another server says later. */
export async function bounce({ dataDir, newsletterId, publicationId }: Omit<Where, 'email'>): Promise<void> {
  await queryDataFolder(
    dataDir,
    `insert into feedback (newsletter_id, id, at, publication_id, subscriber_id, kind, source, status)
      select newsletter_id, gen_random_uuid(), now(), publication_id, subscriber_id, 'soft', 'dsn', '4.2.2'
      from delivery d where newsletter_id = $1 and publication_id = $2 and state = 'accepted' and not exists (
        select from feedback f where f.newsletter_id = d.newsletter_id and f.publication_id = d.publication_id
          and f.subscriber_id = d.subscriber_id)
      limit 1`,
    [newsletterId, publicationId],
  )
}
