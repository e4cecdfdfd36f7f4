import { z } from 'zod'
import { Csv, Done, endpoint, Newsletter, Sheet } from '../http/endpoint.ts'
import { languages } from '../languages.ts'
import { CountedClicks } from '../links/contract.ts'
import { Role } from '../permissions.ts'
import { Progress } from '../sending/contract.ts'
import { Day } from '../sponsorship/contract.ts'
import { digestPaces } from '../subscribers/contract.ts'

export const AnalyticsEvent = z.object({
  name: z.enum(['page_view', 'screen_view', 'sign_up', 'login']),
  params: z.record(z.string().max(40), z.union([z.string().max(300), z.number(), z.boolean()])).default({}),
})

export const recordEvents = endpoint('POST /api/analytics/events', {
  access: 'public',
  summary: 'Record what happens in the owner app, first-party; the user id is the session’s',
  body: z.object({ events: z.array(AnalyticsEvent).min(1).max(50) }),
  reply: Done,
  errors: ['too_many_requests'],
})

/** `opens` are estimates, since mail programs fetch images by themselves; null where none were counted. */
export const PublicationResult = z.object({
  id: z.string(),
  number: z.int().nullable(),
  title: z.string(),
  language: z.enum(languages),
  /** Whether it was mailed, or is for the web only. */
  channel: z.enum(['everywhere', 'web']),
  /** Made by the server of other publications; null for what somebody wrote. */
  digest: z.enum(digestPaces).nullable(),
  status: z.enum(['draft', 'scheduled', 'sending', 'paused', 'sent', 'cancelled']),
  /** Why it stopped by itself; null: somebody paused it, or nothing stands in its way. */
  stoppedBy: z.string().nullable(),
  at: z.iso.datetime().nullable(),
  counts: z.object({
    intended: z.int(),
    queued: z.int(),
    claimed: z.int(),
    accepted: z.int(),
    caught: z.int(),
    deferred: z.int(),
    failed: z.int(),
    suppressed: z.int(),
    uncertain: z.int(),
  }),
  /** How many of them are of a welcome, and not of a sending to an audience. */
  asWelcome: z.int(),
  opens: z.int().nullable(),
  clicks: CountedClicks,
  unsubscribes: z.int(),
  /** Deliveries with a bounce, and deliveries with a complaint; both stay accepted. */
  bounces: z.int(),
  complaints: z.int(),
})

const RunningResult = PublicationResult.extend({ progress: Progress })

export const getPublicationResult = endpoint('GET /api/newsletters/:newsletterId/publications/:publicationId/result', {
  permission: 'analytics.read',
  summary: 'Results of one publication: deliveries by state, opens, clicks, and the time until all are sent',
  params: Newsletter.extend({ publicationId: z.string().max(20) }),
  reply: RunningResult,
  errors: ['publication_not_found'],
})

export const listPublicationResults = endpoint('GET /api/newsletters/:newsletterId/results', {
  permission: 'analytics.read',
  summary: 'Results of several publications: their ids, separated by commas',
  params: Newsletter,
  query: z.object({ ids: z.string().max(2_000) }),
  reply: z.object({ results: z.array(PublicationResult) }),
})

export const ActivityItem = z.object({
  kind: z.enum([
    'asked',
    /** A member entered the address, and it is asked to confirm. */
    'added',
    'confirmed',
    /** Who asked counts at once, as the newsletter’s settings say. */
    'subscribed',
    'unsubscribed',
    'returned',
    'opened',
    'bounced',
    'complained',
    'restored',
    'chose_every',
    'chose_weekly',
    'chose_monthly',
    'paused',
    'resumed',
    'moved',
    'clicked',
    /** The page of a campaign, without a short link. */
    'visited',
  ]),
  at: z.iso.datetime(),
  email: z.string().nullable(),
  publicationTitle: z.string().nullable(),
})

const Step = z.enum(['sample', 'write', 'subscriber', 'account', 'sender', 'send', 'branding'])

const Checklist = z.object({
  /** The last edited draft that nobody has sent; the sample only once it was changed. */
  draft: z.object({ id: z.string(), title: z.string() }).nullable(),
  /** In the order in which they can be done: nothing is sent before the account is kept and the sender is named. */
  checklist: z.array(
    z.object({
      step: Step,
      done: z.boolean(),
      /** Somebody does not want to be asked about it again. */
      skipped: z.boolean(),
    }),
  ),
})

/** Days of the newsletter's calendar, both included. Absent: the twelve weeks until today. `first` is the first day with anything. */
const AskedRange = z.object({ from: z.union([Day, z.literal('first')]).optional(), to: Day.optional() })

const Range = z.object({ from: z.iso.date(), to: z.iso.date() })

/** Of the publications that began to go out on those days, whenever they were opened, clicked or left because of. */
const Engagement = z.object({
  publications: z.int(),
  /** Of these, those of which a relay took or refused a copy. Opens, people who clicked and those who left are of them: they are shares of copies. */
  mailed: z.int(),
  accepted: z.int(),
  failed: z.int(),
  opens: z.int().nullable(),
  clicks: CountedClicks,
  unsubscribes: z.int(),
})

/** The subscribers who came and went on those days, and how many there were at their end. */
const Figures = Engagement.extend({ joined: z.int(), departed: z.int(), subscribers: z.int() })

export const getDashboard = endpoint('GET /api/newsletters/:newsletterId/dashboard', {
  permission: 'analytics.read',
  summary:
    'Subscribers, growth, the figures of a range of days and of the one before, running and last publications, last events, and a new owner’s checklist',
  params: Newsletter,
  query: AskedRange,
  reply: z.object({
    /** Of today, whatever the range. */
    subscribers: z.object({ active: z.int(), pending: z.int(), thisWeek: z.int() }),
    range: Range,
    /** The range of the same length that ends where this one begins; null when it begins with the first day. */
    before: Range.nullable(),
    figures: Figures,
    figuresBefore: Figures.nullable(),
    /** One entry a day of the newsletter's calendar, oldest first; `sent` names publications of that day. */
    growth: z.array(
      z.object({
        day: z.iso.date(),
        subscribers: z.int(),
        joined: z.int(),
        departed: z.int(),
        sent: z.array(z.string()),
      }),
    ),
    /** Days of the range on which publications began to go out, oldest first. */
    engagement: z.array(Engagement.extend({ day: z.iso.date() })),
    running: z.array(RunningResult),
    publications: z.array(PublicationResult),
    activity: z.array(ActivityItem),
    ...Checklist.shape,
  }),
  errors: ['invalid'],
})

export const getChecklist = endpoint('GET /api/newsletters/:newsletterId/dashboard/checklist', {
  permission: 'analytics.read',
  summary: 'The steps of the set-up of a newsletter alone, as the dashboard has them',
  params: Newsletter,
  reply: Checklist,
})

export const skipStep = endpoint('PUT /api/newsletters/:newsletterId/dashboard/checklist', {
  permission: 'newsletter.write',
  summary: 'Leave out a step of the checklist for everybody in the newsletter, or bring it back',
  params: Newsletter,
  body: z.object({ step: Step, skipped: z.boolean() }),
  reply: Done,
})

const Clicks = z.object({ raw: z.int(), human: z.int() })

/** Sums in the smallest unit of the currency. */
const Income = z.object({ currency: z.string(), net: z.int() })
const SponsorIncome = Income.extend({ booked: z.int() })
/** What was left in each of up to twelve equal parts of the range, oldest first. */
const Parts = z.object({ currency: z.string(), nets: z.array(z.int()) })

export const getHighlights = endpoint('GET /api/newsletters/:newsletterId/dashboard/highlights', {
  permission: 'analytics.read',
  cost: 'search',
  summary: 'Of a range of days: the links with the most clicks by people, where new subscribers came from, and revenue',
  params: Newsletter,
  query: AskedRange,
  reply: z.object({
    range: Range,
    before: Range.nullable(),
    /** Null for whoever may not read links. */
    links: z
      .array(
        z.object({
          id: z.string(),
          name: z.string(),
          target: z.string(),
          publication: z.object({ id: z.string(), title: z.string() }).nullable(),
          ...Clicks.shape,
          /** Null when there is no range before. */
          before: Clicks.nullable(),
        }),
      )
      .nullable(),
    sources: z.array(z.object({ source: z.string(), joined: z.int(), joinedBefore: z.int().nullable() })),
    /**
     * What is left of payments when refunds, disputes and fees are taken off, as the figures of what is sold have it. Each part is null when
     * nothing of its kind was ever sold, and for whoever may not read what was paid.
     */
    subscriptions: z.object({ now: z.array(Income), before: z.array(Income), parts: z.array(Parts) }).nullable(),
    /** Paid less given back, and what is agreed for those days. */
    bookings: z
      .object({ now: z.array(SponsorIncome), before: z.array(SponsorIncome), parts: z.array(Parts) })
      .nullable(),
  }),
  errors: ['invalid'],
})

const charts = ['growth', 'engagement', 'publications', 'links', 'sources', 'revenue'] as const

export const exportDashboard = endpoint('GET /api/newsletters/:newsletterId/dashboard/chart.csv', {
  permission: 'analytics.read',
  cost: 'export',
  summary: 'What one of the charts of the dashboard shows, as CSV',
  params: Newsletter,
  query: AskedRange.extend({ chart: z.enum(charts), ...Sheet.shape }),
  reply: Csv,
  errors: ['invalid', 'forbidden'],
})

export const compareNewsletters = endpoint('GET /api/me/newsletters/figures', {
  access: 'user',
  cost: 'search',
  summary:
    'The figures of a range of days for each newsletter whose figures the signed-in user may read, each in its own calendar',
  query: AskedRange,
  reply: z.object({
    newsletters: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        accent: z.string(),
        role: Role,
        active: z.int(),
        range: Range,
        before: Range.nullable(),
        figures: Figures,
        figuresBefore: Figures.nullable(),
        /** Of subscriptions and sponsors; null for whoever may not read what was paid. */
        revenue: z.array(Income).nullable(),
      }),
    ),
  }),
  errors: ['invalid'],
})

export const exportComparison = endpoint('GET /api/me/newsletters/figures.csv', {
  access: 'user',
  cost: 'export',
  summary: 'The same figures as CSV: a line for each newsletter, and one for the range before',
  query: AskedRange.extend(Sheet.shape),
  reply: Csv,
  errors: ['invalid'],
})

/**
 * Server-Sent Events: `event: changed`, data is one of subscribers, deliveries, publications, clicks, opens, imports, bulk, outbox; and
 * `event: beat` every second. What changed while no stream was open is not told: read it when one opens.
 */
export const liveEvents = endpoint('GET /api/newsletters/:newsletterId/live', {
  permission: 'newsletter.read',
  summary: 'A stream of Server-Sent Events that says which figures changed',
  params: Newsletter,
  reply: z.unknown(),
  errors: ['too_many_requests'],
})
