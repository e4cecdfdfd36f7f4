import type { Page } from 'playwright-core'
import type { Translate } from '../server/translator.ts'

/** The ids in the addresses of the seeded data. */
export interface SeededIds {
  newsletterId: string
  handle: string
  /** The newest sent publication. */
  sent: { id: string; slug: string }
  draft: { id: string }
  /** A publication with uncertain deliveries. */
  uncertain: { id: string }
  scheduled: { id: string } | null
  subscriberId: string
  /** The tokens of that subscriber's own page. */
  ownPage: { standing: string; fresh: string }
  /** Of bookings in some states: the id, and the path of the sponsor's own page. */
  bookings: Record<BookedState, { id: string; own: string }>
  /** A booking with a final report, one with a live report, and the addresses of both. */
  reported: { id: string; report: string }
  ran: { id: string; report: string }
}

export const bookedStates = ['requested', 'paid', 'creative_in', 'scheduled', 'ran'] as const
type BookedState = (typeof bookedStates)[number]

export interface Screen {
  name: string
  address: (places: SeededIds) => string
  /** Who looks: a visitor, the seeded owner, the same one in the newsletter that has sponsors, or an owner with a new, empty newsletter. */
  as: 'visitor' | 'owner' | 'advertiser' | 'newcomer'
  /** Runs before the screenshot is taken. */
  act?: (page: Page, t: Translate) => Promise<void>
}

const screen = (as: Screen['as'], name: string, address: Screen['address'] | string): Screen => ({
  name,
  as,
  address: typeof address === 'string' ? () => address : address,
})

/** What a sponsor types: a name that fits, words of a link that are too many, and an image. */
async function typeWords(page: Page, t: Translate): Promise<void> {
  const text = 'The almanac that fits a jacket pocket: tide heights for 212 harbours, and one recipe a month.'
  await page.getByLabel(t('sponsors.own.field.text'), { exact: true }).fill(text)
  await page.getByLabel(t('sponsors.own.field.label')).fill('Order the almanac before Christmas, save a lot')
  await page.getByLabel(t('sponsors.own.field.target')).fill('https://halyardbooks.example/almanac-2027')
  await page.getByLabel(t('sponsors.own.field.alt')).fill('Almanac open on a chart table')
  const data = await page.evaluate(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 600, height: 300 })
    const context = canvas.getContext('2d')
    for (const [colour, x, y, width, height] of [
      ['#e7e0d0', 0, 0, 600, 300],
      ['#b9a98b', 0, 190, 600, 110],
      ['#c2492b', 60, 40, 60, 60],
    ] as const) {
      if (context) context.fillStyle = colour
      context?.fillRect(x, y, width, height)
    }
    return canvas.toDataURL('image/png').split(',')[1] ?? ''
  })
  const file = { name: 'almanac-table.png', mimeType: 'image/png', buffer: Buffer.from(data, 'base64') }
  await page.locator('input[type="file"]').setInputFiles(file)
  await page.locator('#creative-preview img').waitFor()
}

export const screens: Screen[] = [
  screen('visitor', 'signup', '/signup'),
  screen('visitor', 'login', '/login'),
  screen('visitor', 'forgot', '/forgot'),
  screen('newcomer', 'welcome', '/welcome'),
  screen('newcomer', 'dashboard-first-day', '/dashboard'),
  screen('newcomer', 'publish-empty', '/publish'),
  screen('newcomer', 'subscribers-empty', '/subscribers'),
  screen('newcomer', 'outbox-empty', '/outbox'),
  screen('owner', 'dashboard', '/dashboard'),
  screen('owner', 'dashboard-days', '/dashboard?from=2026-01-01&to=2026-03-31'),
  screen('owner', 'side-by-side', '/dashboard/newsletters'),
  screen('owner', 'publish-list', '/publish'),
  screen('owner', 'publish-sent', ({ sent }) => `/publish/${sent.id}`),
  screen('owner', 'deliveries', ({ sent }) => `/publish/${sent.id}/deliveries`),
  screen('owner', 'deliveries-failed', ({ sent }) => `/publish/${sent.id}/deliveries?state=failed`),
  screen('owner', 'deliveries-uncertain', ({ uncertain }) => `/publish/${uncertain.id}/deliveries?state=uncertain`),
  screen('owner', 'publish-draft', ({ draft }) => `/publish/${draft.id}`),
  screen('owner', 'editor', ({ draft }) => `/publish/create/${draft.id}`),
  screen('owner', 'editor-long', ({ sent }) => `/publish/create/${sent.id}`),
  screen('owner', 'editor-sponsors', ({ scheduled, draft }) => `/publish/create/${(scheduled ?? draft).id}`),
  screen('owner', 'send-sponsors', ({ scheduled, draft }) => `/publish/create/${(scheduled ?? draft).id}/send`),
  screen('owner', 'subscribers', '/subscribers'),
  screen('newcomer', 'segments-empty', '/subscribers/segments'),
  screen('owner', 'segment-new', '/subscribers/segments/new'),
  screen('owner', 'labels', '/subscribers/labels'),
  screen('owner', 'imports', '/subscribers/import'),
  screen('advertiser', 'advertise', '/advertise'),
  screen('advertiser', 'campaigns', '/advertise/campaigns'),
  screen('newcomer', 'campaigns-empty', '/advertise/campaigns'),
  screen('advertiser', 'campaign', '/advertise/campaigns/KepRyeBox9'),
  screen('advertiser', 'campaign-edit', '/advertise/campaigns/KepRyeBox9/edit'),
  {
    ...screen('advertiser', 'campaign-edit-faults', '/advertise/campaigns/KepRyeBox9/edit'),
    act: async (page, t) => {
      await page.locator('fieldset[lang="fr"] textarea').first().fill('')
      await page.getByRole('button', { name: t('campaigns.save'), exact: true }).click()
    },
  },
  screen('visitor', 'public-opt-in', '/optin/KepRyeBox9'),
  screen('visitor', 'public-opt-in-asked', '/optin/KepRyeBox9?said=asked'),
  screen('visitor', 'public-opt-in-unknown', '/optin/unknown1'),
  screen('advertiser', 'calendar', '/advertise/calendar'),
  screen('newcomer', 'calendar-empty', '/advertise/calendar'),
  {
    ...screen('advertiser', 'calendar-new-booking', '/advertise/calendar'),
    act: async (page) => {
      await page.locator('button[data-kind="free"]').first().click()
      await page.getByRole('dialog').waitFor()
    },
  },
  screen('advertiser', 'booking-requested', ({ bookings }) => `/advertise/calendar/${bookings.requested.id}`),
  screen('advertiser', 'booking-words', ({ bookings }) => `/advertise/calendar/${bookings.creative_in.id}`),
  screen('advertiser', 'booking-scheduled', ({ bookings }) => `/advertise/calendar/${bookings.scheduled.id}`),
  {
    ...screen('advertiser', 'booking-approve', ({ bookings }) => `/advertise/calendar/${bookings.creative_in.id}`),
    act: async (page, t) => {
      await page.getByRole('button', { name: t('sponsorship.act.approve') }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  screen('advertiser', 'booking-reported', ({ reported }) => `/advertise/calendar/${reported.id}`),
  screen('advertiser', 'placements', '/advertise/placements'),
  {
    ...screen('advertiser', 'placements-edit', '/advertise/placements'),
    act: async (page, t) => {
      await page
        .getByRole('button', { name: t('sponsorship.edit') })
        .first()
        .click()
      await page.getByRole('dialog').waitFor()
    },
  },
  screen('advertiser', 'links', '/advertise/links'),
  screen('advertiser', 'click-rules', '/advertise/rules'),
  screen('advertiser', 'recommendations', '/advertise/recommendations'),
  screen('newcomer', 'recommendations-empty', '/advertise/recommendations'),
  screen('owner', 'charge', '/charge'),
  screen('newcomer', 'advertise-first-steps', '/advertise'),
  screen('newcomer', 'charge-first-steps', '/charge'),
  screen('owner', 'charge-plans', '/charge/plans'),
  screen('owner', 'charge-payments', '/charge/payments'),
  screen('owner', 'charge-subscriptions', '/charge/subscriptions?due=ending'),
  screen('owner', 'charge-stripe', '/charge/stripe'),
  screen('owner', 'charge-said', '/charge/stripe/said'),
  screen('owner', 'charge-figures', '/charge/figures'),
  screen('owner', 'outbox', '/outbox'),
  screen('owner', 'settings-general', '/settings/general'),
  screen('owner', 'settings-branding', '/settings/branding'),
  screen('owner', 'settings-images', '/settings/images'),
  screen('newcomer', 'settings-images-empty', '/settings/images'),
  screen('owner', 'settings-sender', '/settings/sender'),
  screen('owner', 'settings-subscribing', '/settings/subscribing'),
  screen('owner', 'settings-domain', '/settings/domain'),
  screen('newcomer', 'settings-relays-empty', '/settings/relays'),
  {
    ...screen('newcomer', 'settings-relays-add', '/settings/relays'),
    act: async (page, t) => {
      await page.getByRole('button', { name: t('relays.ui.add') }).click()
      await page.getByLabel(t('relays.ui.host')).waitFor()
    },
  },
  screen('owner', 'settings-relays', '/settings/relays'),
  screen('owner', 'settings-members', '/settings/members'),
  screen('owner', 'settings-keys', '/settings/keys'),
  screen('owner', 'help', '/help'),
  screen('owner', 'profile', '/profile'),
  screen('owner', 'not-found', '/no-such-page'),
  screen('visitor', 'public-subscribe', ({ newsletterId }) => `/sub/${newsletterId}`),
  {
    ...screen('visitor', 'public-subscribe-problem', ({ newsletterId }) => `/sub/${newsletterId}`),
    act: async (page, t) => {
      await page.getByLabel(t('subscribers.page.email')).fill('not-an-address@x')
      await page.getByRole('button', { name: t('subscribers.page.subscribe') }).click()
    },
  },
  screen('visitor', 'public-archive', ({ handle }) => `/n/${handle}`),
  screen('visitor', 'public-publication', ({ handle, sent }) => `/n/${handle}/${sent.slug}`),
  screen('visitor', 'public-gift', ({ handle }) => `/plans/${handle}/gift`),
  screen('visitor', 'public-gift-bought', ({ handle }) => `/plans/${handle}/give/done`),
  screen('visitor', 'public-sponsor', '/sponsor/low-water'),
  {
    ...screen('visitor', 'public-sponsor-problem', '/sponsor/low-water'),
    act: async (page, t) => {
      await page.getByLabel(t('sponsors.page.sponsor')).fill('Halyard Books')
      await page.getByRole('button', { name: t('sponsors.page.ask') }).click()
    },
  },
  screen('visitor', 'public-booking-requested', ({ bookings }) => bookings.requested.own),
  {
    ...screen('visitor', 'public-booking-words', ({ bookings }) => bookings.paid.own),
    act: typeWords,
  },
  {
    ...screen('visitor', 'public-booking-problem', ({ bookings }) => bookings.paid.own),
    act: async (page, t) => {
      await typeWords(page, t)
      await page.getByRole('button', { name: t('sponsors.own.send') }).click()
    },
  },
  screen('visitor', 'public-booking-scheduled', ({ bookings }) => bookings.scheduled.own),
  screen('visitor', 'public-booking-ran', ({ bookings }) => bookings.ran.own),
  screen('visitor', 'sponsor-report', ({ reported }) => reported.report),
  screen('visitor', 'sponsor-report-live', ({ ran }) => ran.report),
  screen('visitor', 'public-unsubscribe', ({ newsletterId, subscriberId }) => `/unsub/${newsletterId}/${subscriberId}`),
  screen('visitor', 'public-me', ({ ownPage }) => `/me/${ownPage.standing}`),
  screen('visitor', 'public-me-fresh', ({ ownPage }) => `/me/${ownPage.fresh}`),
  screen('visitor', 'public-me-erase', ({ ownPage }) => `/me/${ownPage.fresh}?ask=erase`),
  screen('visitor', 'public-me-ask', ({ handle }) => `/subscribe/${handle}/me`),
  screen('visitor', 'public-link-unknown', '/r/nothing'),
  screen('visitor', 'public-closed', '/sub/nothing'),
]
