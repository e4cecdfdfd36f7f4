import type { ComponentType } from 'react'
import { Navigate, type RouteObject } from 'react-router'
import { breadcrumb } from './shell/breadcrumb.ts'
import { PageLoading, RequireSignIn } from './shell/guard.tsx'
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
    hydrateFallbackElement: <PageLoading />,
    children: [
      { index: true, element: <Navigate to="/dashboard" replace /> },

      { path: 'signup', lazy: page(() => import('./identity/sign-up-page.tsx'), 'SignUpPage') },
      { path: 'login', lazy: page(() => import('./identity/login-page.tsx'), 'LoginPage') },
      { path: 'forgot', lazy: page(() => import('./identity/forgot-page.tsx'), 'ForgotPage') },
      { path: 'reset', lazy: page(() => import('./identity/reset-page.tsx'), 'ResetPage') },
      { path: 'verified', lazy: page(() => import('./identity/verified-page.tsx'), 'VerifiedPage') },
      { path: 'arrived', lazy: page(() => import('./identity/sign-in-return-page.tsx'), 'SignInReturnPage') },
      { path: 'invitation/:token', lazy: page(() => import('./identity/invitation-page.tsx'), 'InvitationPage') },

      {
        element: <RequireSignIn />,
        children: [
          { path: 'welcome', lazy: page(() => import('./newsletters/welcome-page.tsx'), 'WelcomePage') },
          {
            lazy: page(() => import('./shell/shell.tsx'), 'Shell'),
            errorElement: <PageError />,
            children: [
              {
                path: 'dashboard',
                handle: breadcrumb('shell.nav.dashboard'),
                lazy: page(() => import('./analytics/dashboard-page.tsx'), 'DashboardPage'),
              },
              {
                path: 'publish',
                handle: breadcrumb('shell.nav.publish'),
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
                    handle: breadcrumb('shell.results'),
                    children: [
                      { index: true, lazy: page(() => import('./analytics/results-page.tsx'), 'ResultsPage') },
                      {
                        path: 'deliveries',
                        handle: breadcrumb('shell.deliveries'),
                        lazy: page(() => import('./sending/deliveries-page.tsx'), 'DeliveriesPage'),
                      },
                    ],
                  },
                ],
              },
              {
                path: 'subscribers',
                handle: breadcrumb('shell.nav.subscribers'),
                lazy: page(() => import('./subscribers/subscribers-page.tsx'), 'SubscribersPage'),
              },
              {
                path: 'advertise',
                handle: breadcrumb('shell.nav.advertise'),
                lazy: page(() => import('./campaigns/advertise-page.tsx'), 'AdvertisePage'),
              },
              {
                path: 'charge',
                handle: breadcrumb('shell.nav.charge'),
                lazy: page(() => import('./charge/charge-page.tsx'), 'ChargePage'),
              },
              {
                path: 'outbox',
                handle: breadcrumb('shell.nav.outbox'),
                lazy: page(() => import('./relays/outbox/outbox-page.tsx'), 'OutboxPage'),
              },
              {
                path: 'settings',
                handle: breadcrumb('shell.nav.settings'),
                children: [
                  { index: true, element: <Navigate to="/settings/general" replace /> },
                  {
                    path: 'general',
                    handle: breadcrumb('shell.settings.general'),
                    lazy: page(() => import('./newsletters/general-page.tsx'), 'GeneralPage'),
                  },
                  {
                    path: 'branding',
                    handle: breadcrumb('shell.settings.branding'),
                    lazy: page(() => import('./newsletters/branding-page.tsx'), 'BrandingPage'),
                  },
                  {
                    path: 'sender',
                    handle: breadcrumb('shell.settings.sender'),
                    lazy: page(() => import('./newsletters/sender-page.tsx'), 'SenderPage'),
                  },
                  {
                    path: 'domain',
                    handle: breadcrumb('shell.settings.domain'),
                    lazy: page(() => import('./domains/domain-page.tsx'), 'DomainPage'),
                  },
                  {
                    path: 'relays',
                    handle: breadcrumb('shell.settings.relays'),
                    lazy: page(() => import('./relays/relays-page.tsx'), 'RelaysPage'),
                  },
                  {
                    path: 'members',
                    handle: breadcrumb('shell.settings.members'),
                    lazy: page(() => import('./newsletters/members-page.tsx'), 'MembersPage'),
                  },
                  {
                    path: 'keys',
                    handle: breadcrumb('shell.settings.keys'),
                    lazy: page(() => import('./newsletters/keys-page.tsx'), 'KeysPage'),
                  },
                ],
              },
              {
                path: 'profile',
                handle: breadcrumb('shell.profile'),
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
