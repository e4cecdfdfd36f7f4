import type { ComponentType } from 'react'
import { Navigate, type RouteObject } from 'react-router'
import { studioPaths } from '../server/http/studio-paths.ts'
import { withSentences } from './language.ts'
import { breadcrumb } from './shell/breadcrumb.ts'
import { PageLoading, RequireSignIn } from './shell/guard.tsx'
import { NotFound, PageError } from './shell/page-error.tsx'
import { Root } from './shell/root.tsx'

/** A page that is downloaded when it is opened. `scripts/studio-pages.ts` reads its file and name from here. */
const page =
  <K extends string>(load: () => Promise<Record<K, ComponentType>>, name: K) =>
  async () => ({ Component: await withSentences(load, name) })

/** THE MAP of the owner app: every address, what guards it, and which page it shows. */
export const routes: RouteObject[] = [
  {
    element: <Root />,
    errorElement: <PageError />,
    hydrateFallbackElement: <PageLoading />,
    children: [
      { index: true, element: <Navigate to={studioPaths.dashboard} replace /> },

      { path: studioPaths.signUp, lazy: page(() => import('./identity/sign-up-page.tsx'), 'SignUpPage') },
      { path: studioPaths.login, lazy: page(() => import('./identity/login-page.tsx'), 'LoginPage') },
      { path: studioPaths.forgot, lazy: page(() => import('./identity/forgot-page.tsx'), 'ForgotPage') },
      { path: studioPaths.reset, lazy: page(() => import('./identity/reset-page.tsx'), 'ResetPage') },
      { path: studioPaths.verified, lazy: page(() => import('./identity/verified-page.tsx'), 'VerifiedPage') },
      { path: studioPaths.arrived, lazy: page(() => import('./identity/sign-in-return-page.tsx'), 'SignInReturnPage') },
      { path: studioPaths.invitation, lazy: page(() => import('./identity/invitation-page.tsx'), 'InvitationPage') },

      {
        element: <RequireSignIn />,
        children: [
          { path: studioPaths.welcome, lazy: page(() => import('./newsletters/welcome-page.tsx'), 'WelcomePage') },
          {
            lazy: page(() => import('./shell/shell.tsx'), 'Shell'),
            errorElement: <PageError />,
            children: [
              {
                path: studioPaths.dashboard,
                handle: breadcrumb('shell.nav.dashboard'),
                children: [
                  {
                    index: true,
                    lazy: page(() => import('./analytics/dashboard/dashboard-page.tsx'), 'DashboardPage'),
                  },
                  {
                    path: studioPaths.sideBySide,
                    handle: breadcrumb('shell.titles.sideBySide'),
                    lazy: page(() => import('./analytics/side-by-side/side-by-side-page.tsx'), 'SideBySidePage'),
                  },
                ],
              },
              {
                path: studioPaths.publish,
                handle: breadcrumb('shell.nav.publish', { isLive: true }),
                children: [
                  { index: true, lazy: page(() => import('./publications/publications-page.tsx'), 'PublicationsPage') },
                  {
                    path: studioPaths.editor,
                    lazy: page(() => import('./publications/editor/editor-page.tsx'), 'EditorPage'),
                  },
                  {
                    path: studioPaths.send,
                    lazy: page(() => import('./publications/send/send-page.tsx'), 'SendPage'),
                  },
                  {
                    path: studioPaths.results,
                    handle: breadcrumb('shell.results', { isLive: true }),
                    children: [
                      { index: true, lazy: page(() => import('./analytics/results-page.tsx'), 'ResultsPage') },
                      {
                        path: studioPaths.deliveries,
                        handle: breadcrumb('shell.deliveries'),
                        lazy: page(() => import('./sending/deliveries-page.tsx'), 'DeliveriesPage'),
                      },
                    ],
                  },
                ],
              },
              {
                path: studioPaths.subscribers,
                handle: breadcrumb('shell.nav.subscribers'),
                children: [
                  { index: true, lazy: page(() => import('./subscribers/subscribers-page.tsx'), 'SubscribersPage') },
                  {
                    path: studioPaths.segments,
                    handle: breadcrumb('shell.titles.segments'),
                    children: [
                      { index: true, lazy: page(() => import('./segments/segments-page.tsx'), 'SegmentsPage') },
                      {
                        path: studioPaths.segment,
                        lazy: page(() => import('./segments/segment-page.tsx'), 'SegmentPage'),
                      },
                    ],
                  },
                  {
                    path: studioPaths.imports,
                    handle: breadcrumb('shell.titles.imports'),
                    children: [
                      { index: true, lazy: page(() => import('./subscribers/import/imports-page.tsx'), 'ImportsPage') },
                      {
                        path: studioPaths.import,
                        lazy: page(() => import('./subscribers/import/import-page.tsx'), 'ImportPage'),
                      },
                    ],
                  },
                  {
                    path: studioPaths.subscriber,
                    handle: breadcrumb('shell.titles.subscriber'),
                    lazy: page(() => import('./subscribers/subscriber-page.tsx'), 'SubscriberPage'),
                  },
                  {
                    path: studioPaths.labels,
                    handle: breadcrumb('shell.titles.labels'),
                    lazy: page(() => import('./segments/labels-page.tsx'), 'LabelsPage'),
                  },
                ],
              },
              {
                path: studioPaths.advertise,
                handle: breadcrumb('shell.nav.advertise'),
                children: [
                  { index: true, lazy: page(() => import('./campaigns/advertise-page.tsx'), 'AdvertisePage') },
                  {
                    path: studioPaths.recommendations,
                    handle: breadcrumb('shell.titles.recommendations'),
                    lazy: page(
                      () => import('./campaigns/recommendations/recommendations-page.tsx'),
                      'RecommendationsPage',
                    ),
                  },
                  {
                    path: studioPaths.links,
                    handle: breadcrumb('shell.titles.links'),
                    children: [
                      { index: true, lazy: page(() => import('./links/links-page.tsx'), 'LinksPage') },
                      { path: studioPaths.link, lazy: page(() => import('./links/link-page.tsx'), 'LinkPage') },
                    ],
                  },
                  {
                    path: studioPaths.campaigns,
                    handle: breadcrumb('shell.titles.campaigns'),
                    children: [
                      { index: true, lazy: page(() => import('./campaigns/campaigns-page.tsx'), 'CampaignsPage') },
                      {
                        path: studioPaths.campaign,
                        lazy: page(() => import('./campaigns/campaign-page.tsx'), 'CampaignPage'),
                      },
                      {
                        path: studioPaths.campaignEdit,
                        lazy: page(() => import('./campaigns/campaign-edit-page.tsx'), 'CampaignEditPage'),
                      },
                    ],
                  },
                  {
                    path: studioPaths.calendar,
                    handle: breadcrumb('shell.titles.calendar'),
                    children: [
                      { index: true, lazy: page(() => import('./sponsorship/calendar-page.tsx'), 'CalendarPage') },
                      {
                        path: studioPaths.booking,
                        lazy: page(() => import('./sponsorship/booking-page.tsx'), 'BookingPage'),
                      },
                    ],
                  },
                  {
                    path: studioPaths.placements,
                    handle: breadcrumb('shell.titles.placements'),
                    lazy: page(() => import('./sponsorship/placements-page.tsx'), 'PlacementsPage'),
                  },
                  {
                    path: studioPaths.clickRules,
                    handle: breadcrumb('shell.titles.clickRules'),
                    lazy: page(() => import('./links/click-rules-page.tsx'), 'ClickRulesPage'),
                  },
                ],
              },
              {
                path: studioPaths.charge,
                handle: breadcrumb('shell.nav.charge'),
                children: [
                  { index: true, lazy: page(() => import('./charge/charge-page.tsx'), 'ChargePage') },
                  {
                    path: studioPaths.chargePlans,
                    handle: breadcrumb('shell.titles.plans'),
                    children: [
                      { index: true, lazy: page(() => import('./charge/plans/plans-page.tsx'), 'PlansPage') },
                      {
                        path: studioPaths.chargePlan,
                        lazy: page(() => import('./charge/plans/plan-page.tsx'), 'PlanPage'),
                      },
                    ],
                  },
                  {
                    path: studioPaths.chargePayments,
                    handle: breadcrumb('shell.titles.payments'),
                    lazy: page(() => import('./charge/outside/payments-page.tsx'), 'PaymentsPage'),
                  },
                  {
                    path: studioPaths.chargeSubscriptions,
                    handle: breadcrumb('shell.titles.subscriptions'),
                    lazy: page(() => import('./charge/outside/subscriptions-page.tsx'), 'SubscriptionsPage'),
                  },
                  {
                    path: studioPaths.chargeStripe,
                    handle: breadcrumb('shell.titles.stripe'),
                    children: [
                      { index: true, lazy: page(() => import('./charge/connect/connect-page.tsx'), 'ConnectPage') },
                      {
                        path: studioPaths.chargeSaid,
                        handle: breadcrumb('shell.titles.said'),
                        lazy: page(() => import('./charge/said/said-page.tsx'), 'SaidPage'),
                      },
                    ],
                  },
                  {
                    path: studioPaths.chargeFigures,
                    handle: breadcrumb('shell.titles.figures'),
                    lazy: page(() => import('./charge/figures/figures-page.tsx'), 'FiguresPage'),
                  },
                ],
              },
              {
                path: studioPaths.outbox,
                handle: breadcrumb('shell.nav.outbox', { isLive: true }),
                lazy: page(() => import('./relays/outbox/outbox-page.tsx'), 'OutboxPage'),
              },
              {
                path: studioPaths.settings,
                handle: breadcrumb('shell.nav.settings'),
                children: [
                  {
                    index: true,
                    lazy: page(() => import('./shell/settings-index-page.tsx'), 'SettingsIndexPage'),
                  },
                  {
                    path: studioPaths.generalSettings,
                    handle: breadcrumb('shell.settings.general'),
                    lazy: page(() => import('./newsletters/general-page.tsx'), 'GeneralPage'),
                  },
                  {
                    path: studioPaths.brandingSettings,
                    handle: breadcrumb('shell.settings.branding'),
                    lazy: page(() => import('./newsletters/branding-page.tsx'), 'BrandingPage'),
                  },
                  {
                    path: studioPaths.imageSettings,
                    handle: breadcrumb('shell.settings.images'),
                    lazy: page(() => import('./media/images-page.tsx'), 'ImagesPage'),
                  },
                  {
                    path: studioPaths.senderSettings,
                    handle: breadcrumb('shell.settings.sender'),
                    lazy: page(() => import('./newsletters/sender-page.tsx'), 'SenderPage'),
                  },
                  {
                    path: studioPaths.subscribingSettings,
                    handle: breadcrumb('shell.settings.subscribing'),
                    lazy: page(() => import('./newsletters/subscribing-page.tsx'), 'SubscribingPage'),
                  },
                  {
                    path: studioPaths.domainSettings,
                    handle: breadcrumb('shell.settings.domain'),
                    lazy: page(() => import('./domains/domain-page.tsx'), 'DomainPage'),
                  },
                  {
                    path: studioPaths.relaySettings,
                    handle: breadcrumb('shell.settings.relays'),
                    lazy: page(() => import('./relays/relays-page.tsx'), 'RelaysPage'),
                  },
                  {
                    path: studioPaths.memberSettings,
                    handle: breadcrumb('shell.settings.members'),
                    lazy: page(() => import('./newsletters/members-page.tsx'), 'MembersPage'),
                  },
                  {
                    path: studioPaths.keySettings,
                    handle: breadcrumb('shell.settings.keys'),
                    lazy: page(() => import('./newsletters/keys-page.tsx'), 'KeysPage'),
                  },
                  {
                    path: studioPaths.auditSettings,
                    handle: breadcrumb('shell.settings.audit'),
                    lazy: page(() => import('./audit/audit-page.tsx'), 'AuditPage'),
                  },
                ],
              },
              {
                path: studioPaths.help,
                handle: breadcrumb('shell.titles.help'),
                lazy: page(() => import('./shell/help-page.tsx'), 'HelpPage'),
              },
              {
                path: studioPaths.profile,
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
