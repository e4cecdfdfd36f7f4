import type { ComponentType } from 'react'
import { Navigate, type RouteObject } from 'react-router'
import { named } from './shell/crumb.ts'
import { SignedIn, Waiting } from './shell/guard.tsx'
import { NotFound, PageError } from './shell/page-error.tsx'
import { Root } from './shell/root.tsx'

/** A page that travels only when it is opened. */
const page =
  <K extends string>(load: () => Promise<Record<K, ComponentType>>, name: K) =>
  async () => ({ Component: (await load())[name] })

/** THE MAP of the owner app: every address, what guards it, and where its page is. */
export const routes: RouteObject[] = [
  {
    element: <Root />,
    errorElement: <PageError />,
    hydrateFallbackElement: <Waiting />,
    children: [
      { index: true, element: <Navigate to="/dashboard" replace /> },

      { path: 'signup', lazy: page(() => import('./identity/sign-up-page.tsx'), 'SignUpPage') },
      { path: 'login', lazy: page(() => import('./identity/login-page.tsx'), 'LoginPage') },
      { path: 'forgot', lazy: page(() => import('./identity/forgot-page.tsx'), 'ForgotPage') },
      { path: 'reset', lazy: page(() => import('./identity/reset-page.tsx'), 'ResetPage') },
      { path: 'verified', lazy: page(() => import('./identity/verified-page.tsx'), 'VerifiedPage') },
      { path: 'arrived', lazy: page(() => import('./identity/arrived-page.tsx'), 'ArrivedPage') },
      { path: 'invitation/:token', lazy: page(() => import('./identity/invitation-page.tsx'), 'InvitationPage') },

      {
        element: <SignedIn />,
        children: [
          { path: 'welcome', lazy: page(() => import('./newsletters/welcome-page.tsx'), 'WelcomePage') },
          {
            lazy: page(() => import('./shell/shell.tsx'), 'Shell'),
            errorElement: <PageError />,
            children: [
              {
                path: 'dashboard',
                handle: named('shell.nav.dashboard'),
                lazy: page(() => import('./analytics/dashboard-page.tsx'), 'DashboardPage'),
              },
              {
                path: 'publish',
                handle: named('shell.nav.publish'),
                children: [
                  { index: true, lazy: page(() => import('./publications/publications-page.tsx'), 'PublicationsPage') },
                  {
                    path: 'create/:publicationId',
                    lazy: page(() => import('./publications/editor/editor-page.tsx'), 'EditorPage'),
                  },
                  {
                    path: 'create/:publicationId/send',
                    lazy: page(() => import('./publications/editor/send-page.tsx'), 'SendPage'),
                  },
                  {
                    path: ':publicationId',
                    handle: named('shell.results'),
                    children: [
                      { index: true, lazy: page(() => import('./analytics/results-page.tsx'), 'ResultsPage') },
                      {
                        path: 'deliveries',
                        handle: named('shell.deliveries'),
                        lazy: page(() => import('./sending/deliveries-page.tsx'), 'DeliveriesPage'),
                      },
                    ],
                  },
                ],
              },
              {
                path: 'subscribers',
                handle: named('shell.nav.subscribers'),
                lazy: page(() => import('./subscribers/subscribers-page.tsx'), 'SubscribersPage'),
              },
              {
                path: 'advertise',
                handle: named('shell.nav.advertise'),
                lazy: page(() => import('./campaigns/advertise-page.tsx'), 'AdvertisePage'),
              },
              {
                path: 'charge',
                handle: named('shell.nav.charge'),
                lazy: page(() => import('./charge/charge-page.tsx'), 'ChargePage'),
              },
              {
                path: 'outbox',
                handle: named('shell.nav.outbox'),
                lazy: page(() => import('./relays/outbox/outbox-page.tsx'), 'OutboxPage'),
              },
              {
                path: 'settings',
                handle: named('shell.nav.settings'),
                children: [
                  { index: true, element: <Navigate to="/settings/general" replace /> },
                  {
                    path: 'general',
                    handle: named('shell.settings.general'),
                    lazy: page(() => import('./newsletters/general-page.tsx'), 'GeneralPage'),
                  },
                  {
                    path: 'branding',
                    handle: named('shell.settings.branding'),
                    lazy: page(() => import('./newsletters/branding-page.tsx'), 'BrandingPage'),
                  },
                  {
                    path: 'sender',
                    handle: named('shell.settings.sender'),
                    lazy: page(() => import('./newsletters/sender-page.tsx'), 'SenderPage'),
                  },
                  {
                    path: 'domain',
                    handle: named('shell.settings.domain'),
                    lazy: page(() => import('./domains/domain-page.tsx'), 'DomainPage'),
                  },
                  {
                    path: 'relays',
                    handle: named('shell.settings.relays'),
                    lazy: page(() => import('./relays/relays-page.tsx'), 'RelaysPage'),
                  },
                  {
                    path: 'members',
                    handle: named('shell.settings.members'),
                    lazy: page(() => import('./newsletters/members-page.tsx'), 'MembersPage'),
                  },
                  {
                    path: 'keys',
                    handle: named('shell.settings.keys'),
                    lazy: page(() => import('./newsletters/keys-page.tsx'), 'KeysPage'),
                  },
                ],
              },
              {
                path: 'profile',
                handle: named('shell.profile'),
                lazy: page(() => import('./identity/profile-page.tsx'), 'ProfilePage'),
              },
            ],
          },
        ],
      },
      { path: '*', element: <NotFound /> },
    ],
  },
]
