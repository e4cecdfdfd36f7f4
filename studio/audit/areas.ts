import { knownCode } from '../known-code.ts'

/** The parts of a newsletter that somebody may be refused, as the addresses of the API name them. */
export const areas = [
  'advertise',
  'api-keys',
  'audit',
  'bulk-changes',
  'campaign-offers',
  'charge',
  'click-rules',
  'dashboard',
  'deleted-publications',
  'deletion',
  'digests',
  'domain',
  'fields',
  'handle',
  'imports',
  'invitations',
  'links',
  'live',
  'media',
  'media-usage',
  'members',
  'opt-in-campaigns',
  'outbox',
  'publications',
  'receipts',
  'recommendation-order',
  'recommendations',
  'recommended-by',
  'recommenders',
  'relays',
  'remote-change',
  'remote-newsletters',
  'remote-recommendations',
  'results',
  'search',
  'segments',
  'senders',
  'settings',
  'sponsorship',
  'subscribers',
  'suppressions',
  'tags',
  'utm-templates',
  'welcomes',
] as const

/** The part to which a path of the API leads; of none that has a name, the settings, where it is the newsletter itself. */
export function areaOf(path: string): (typeof areas)[number] | undefined {
  const [, part] = /^\/api\/newsletters\/:newsletterId(?:\/([\w-]+))?/.exec(path) ?? []
  return knownCode(areas, part ?? 'settings')
}
