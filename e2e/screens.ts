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
}

export interface Screen {
  name: string
  address: (places: SeededIds) => string
  /** Who looks: a visitor, the seeded owner, or an owner with a new, empty newsletter. */
  as: 'visitor' | 'owner' | 'newcomer'
  /** Runs before the screenshot is taken. */
  act?: (page: Page, t: Translate) => Promise<void>
}

const screen = (as: Screen['as'], name: string, address: Screen['address'] | string): Screen => ({
  name,
  as,
  address: typeof address === 'string' ? () => address : address,
})

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
  screen('owner', 'publish-list', '/publish'),
  screen('owner', 'publish-sent', ({ sent }) => `/publish/${sent.id}`),
  screen('owner', 'deliveries', ({ sent }) => `/publish/${sent.id}/deliveries`),
  screen('owner', 'deliveries-failed', ({ sent }) => `/publish/${sent.id}/deliveries?state=failed`),
  screen('owner', 'deliveries-uncertain', ({ uncertain }) => `/publish/${uncertain.id}/deliveries?state=uncertain`),
  screen('owner', 'publish-draft', ({ draft }) => `/publish/${draft.id}`),
  screen('owner', 'editor', ({ draft }) => `/publish/create/${draft.id}`),
  screen('owner', 'editor-long', ({ sent }) => `/publish/create/${sent.id}`),
  screen('owner', 'subscribers', '/subscribers'),
  screen('newcomer', 'segments-empty', '/subscribers/segments'),
  screen('owner', 'segment-new', '/subscribers/segments/new'),
  screen('owner', 'labels', '/subscribers/labels'),
  screen('owner', 'imports', '/subscribers/import'),
  screen('owner', 'advertise', '/advertise'),
  screen('owner', 'campaigns', '/advertise/campaigns'),
  screen('newcomer', 'campaigns-empty', '/advertise/campaigns'),
  screen('owner', 'campaign', '/advertise/campaigns/KepRyeBox9'),
  screen('owner', 'campaign-edit', '/advertise/campaigns/KepRyeBox9/edit'),
  screen('visitor', 'public-opt-in', '/optin/KepRyeBox9'),
  screen('visitor', 'public-opt-in-unknown', '/optin/unknown1'),
  screen('owner', 'calendar', '/advertise/calendar'),
  screen('newcomer', 'calendar-empty', '/advertise/calendar'),
  screen('owner', 'placements', '/advertise/placements'),
  screen('owner', 'links', '/advertise/links'),
  screen('owner', 'click-rules', '/advertise/rules'),
  screen('owner', 'recommendations', '/advertise/recommendations'),
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
  screen('visitor', 'public-sponsor', ({ handle }) => `/sponsor/${handle}`),
  screen('visitor', 'public-unsubscribe', ({ newsletterId, subscriberId }) => `/unsub/${newsletterId}/${subscriberId}`),
  screen('visitor', 'public-me', ({ ownPage }) => `/me/${ownPage.standing}`),
  screen('visitor', 'public-me-fresh', ({ ownPage }) => `/me/${ownPage.fresh}`),
  screen('visitor', 'public-me-erase', ({ ownPage }) => `/me/${ownPage.fresh}?ask=erase`),
  screen('visitor', 'public-me-ask', ({ handle }) => `/subscribe/${handle}/me`),
  screen('visitor', 'public-link-unknown', '/r/nothing'),
  screen('visitor', 'public-closed', '/sub/nothing'),
]
