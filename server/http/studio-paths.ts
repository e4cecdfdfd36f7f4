/**
 * All addresses of the owner app. The server answers each with the app's page (`studio.ts`), and `studio/routes.tsx` says
 * which screen it shows. Any other address is 404.
 */
export const studioPaths = {
  signUp: '/signup',
  login: '/login',
  forgot: '/forgot',
  reset: '/reset',
  verified: '/verified',
  arrived: '/arrived',
  invitation: '/invitation/:token',
  welcome: '/welcome',
  dashboard: '/dashboard',
  sideBySide: '/dashboard/newsletters',
  publish: '/publish',
  editor: '/publish/create/:publicationId',
  send: '/publish/create/:publicationId/send',
  results: '/publish/:publicationId',
  deliveries: '/publish/:publicationId/deliveries',
  subscribers: '/subscribers',
  segments: '/subscribers/segments',
  segment: '/subscribers/segments/:segmentId',
  labels: '/subscribers/labels',
  imports: '/subscribers/import',
  import: '/subscribers/import/:importId',
  subscriber: '/subscribers/:subscriberId',
  advertise: '/advertise',
  recommendations: '/advertise/recommendations',
  campaigns: '/advertise/campaigns',
  campaign: '/advertise/campaigns/:campaignId',
  campaignEdit: '/advertise/campaigns/:campaignId/edit',
  links: '/advertise/links',
  link: '/advertise/links/:linkId',
  calendar: '/advertise/calendar',
  placements: '/advertise/placements',
  booking: '/advertise/calendar/:bookingId',
  clickRules: '/advertise/rules',
  charge: '/charge',
  chargePlans: '/charge/plans',
  chargePlan: '/charge/plans/:planId',
  chargePayments: '/charge/payments',
  chargeSubscriptions: '/charge/subscriptions',
  chargeStripe: '/charge/stripe',
  chargeSaid: '/charge/stripe/said',
  chargeFigures: '/charge/figures',
  outbox: '/outbox',
  settings: '/settings',
  generalSettings: '/settings/general',
  brandingSettings: '/settings/branding',
  imageSettings: '/settings/images',
  senderSettings: '/settings/sender',
  subscribingSettings: '/settings/subscribing',
  relaySettings: '/settings/relays',
  domainSettings: '/settings/domain',
  memberSettings: '/settings/members',
  keySettings: '/settings/keys',
  auditSettings: '/settings/audit',
  help: '/help',
  profile: '/profile',
} as const

/** Names the newsletter in which an address is to be opened: another one may be open there. */
export const NEWSLETTER_PARAMETER = 'newsletter'

/** The whole address of a screen, as mails give it to a member. */
export const mailedAddress = (publicUrl: string, path: string, newsletterId: string): string =>
  `${publicUrl}${path}?${NEWSLETTER_PARAMETER}=${newsletterId}`

/** A token or id in a path has no encoded sign: a proxy may decode `..%2Fr` and lead elsewhere. */
const screens = Object.values(studioPaths).map((path) => new RegExp(`^${path.replaceAll(/:\w+/g, '[\\w-]+')}$`))

/** Whether `address`, which somebody else may have written, leads to a screen of the owner app and nowhere else. */
export function isScreen(address: unknown): address is string {
  if (typeof address !== 'string' || !/^\/(?![/\\])/.test(address)) return false
  // What a browser would make of it: dots, tabs and turned slashes are gone.
  const here = 'http://here.invalid'
  if (!URL.canParse(address, here)) return false
  const url = new URL(address, here)
  return url.origin === here && screens.some((screen) => screen.test(url.pathname))
}
