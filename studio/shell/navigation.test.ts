import { describe, expect, test } from 'vitest'
import { may, type Permission, roleNames } from '../../server/permissions.ts'
import { navigationFor } from './navigation.ts'

const labels = (allows: (permission: Permission) => boolean) =>
  navigationFor(allows).flatMap(({ label, within = [] }) => [label, ...within.map(({ path }) => path)])

const everyPage = [
  'dashboard',
  'publish',
  'subscribers',
  '/subscribers',
  '/subscribers/segments',
  '/subscribers/labels',
  '/subscribers/import',
  'advertise',
  '/advertise',
  '/advertise/calendar',
  '/advertise/placements',
  '/advertise/campaigns',
  '/advertise/recommendations',
  '/advertise/links',
  '/advertise/rules',
  'charge',
  '/charge',
  '/charge/plans',
  '/charge/subscriptions',
  '/charge/payments',
  '/charge/stripe',
  '/charge/stripe/said',
  '/charge/figures',
  'outbox',
  'settings',
  '/settings/general',
  '/settings/branding',
  '/settings/images',
  '/settings/sender',
  '/settings/subscribing',
  '/settings/relays',
  '/settings/domain',
  '/settings/members',
  '/settings/keys',
  '/settings/audit',
]

describe('the pages in the sidebar and in the command palette', () => {
  test.each(roleNames)('%s: all that the role may read', (role) => {
    const hidden = [
      ...(role === 'owner' ? [] : ['/subscribers/import', '/settings/audit']),
      ...(role === 'analyst' ? ['outbox'] : []),
    ]
    const expected = everyPage.filter((page) => !hidden.includes(page))
    expect(labels((permission) => may(role, permission))).toEqual(expected)
  })

  test('a role that may only change the branding does not find pages that it cannot read', () => {
    const permissions: Permission[] = ['newsletter.read', 'media.read', 'branding.write']
    const hidden = [
      'dashboard',
      'publish',
      'subscribers',
      'advertise',
      '/advertise',
      '/advertise/calendar',
      '/advertise/placements',
      '/advertise/campaigns',
      '/advertise/recommendations',
      '/advertise/links',
      '/advertise/rules',
      'charge',
      '/charge',
      '/charge/plans',
      '/charge/subscriptions',
      '/charge/payments',
      '/charge/stripe',
      '/charge/stripe/said',
      '/charge/figures',
      'outbox',
      '/settings/members',
      '/settings/audit',
    ]
    expect(labels((permission) => permissions.includes(permission))).toEqual(
      everyPage.filter((page) => !hidden.includes(page) && !page.startsWith('/subscribers')),
    )
  })

  test('without any permission nothing is left', () => {
    expect(labels(() => false)).toEqual([])
  })
})
