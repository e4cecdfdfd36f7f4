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
  publish: '/publish',
  editor: '/publish/create/:publicationId',
  send: '/publish/create/:publicationId/send',
  results: '/publish/:publicationId',
  deliveries: '/publish/:publicationId/deliveries',
  subscribers: '/subscribers',
  advertise: '/advertise',
  charge: '/charge',
  outbox: '/outbox',
  settings: '/settings',
  generalSettings: '/settings/general',
  brandingSettings: '/settings/branding',
  senderSettings: '/settings/sender',
  relaySettings: '/settings/relays',
  domainSettings: '/settings/domain',
  memberSettings: '/settings/members',
  keySettings: '/settings/keys',
  auditSettings: '/settings/audit',
  profile: '/profile',
} as const
