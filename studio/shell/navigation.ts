import { studioPaths } from '../../server/http/studio-paths.ts'
import type { Permission } from '../../server/permissions.ts'
import {
  type Icon,
  IconHome,
  IconInbox,
  IconPencil,
  IconReceipt,
  IconSettings,
  IconSpeakerphone,
  IconUsers,
} from '../ui/icons.ts'

export interface NavItem {
  path: string
  label: 'dashboard' | 'publish' | 'subscribers' | 'advertise' | 'charge' | 'outbox' | 'settings'
  icon: Icon
  /** Members without it do not find the page in the sidebar or in the command palette. */
  needs: Permission
  within?: { path: string; title: PageTitle; about?: PageAbout; needs: Permission }[]
}

/** The pages below *Subscribers*. */
const subscriberPages = [
  { path: studioPaths.subscribers, title: 'shell.titles.everybody', needs: 'subscribers.read' },
  { path: studioPaths.segments, title: 'shell.titles.segments', needs: 'subscribers.read' },
  { path: studioPaths.labels, title: 'shell.titles.labels', needs: 'subscribers.read' },
  { path: studioPaths.imports, title: 'shell.titles.imports', needs: 'subscribers.import' },
] as const

/** The pages below *Advertise*. */
const advertisePages = [
  { path: studioPaths.advertise, title: 'shell.titles.advertise', needs: 'links.read' },
  { path: studioPaths.calendar, title: 'shell.titles.calendar', needs: 'sponsorship.read' },
  { path: studioPaths.placements, title: 'shell.titles.placements', needs: 'sponsorship.read' },
  { path: studioPaths.campaigns, title: 'shell.titles.campaigns', needs: 'campaigns.read' },
  { path: studioPaths.recommendations, title: 'shell.titles.recommendations', needs: 'campaigns.read' },
  { path: studioPaths.links, title: 'shell.titles.links', needs: 'links.read' },
  { path: studioPaths.clickRules, title: 'shell.titles.clickRules', needs: 'links.read' },
] as const

/** The pages below *Charge*: the overview, then plans, subscriptions, payments, figures and the connection with Stripe. */
const chargePages = [
  { path: studioPaths.charge, title: 'shell.titles.charge', needs: 'charge.read' },
  { path: studioPaths.chargePlans, title: 'shell.titles.plans', needs: 'charge.read' },
  { path: studioPaths.chargeSubscriptions, title: 'shell.titles.subscriptions', needs: 'charge.read' },
  { path: studioPaths.chargePayments, title: 'shell.titles.payments', needs: 'charge.read' },
  { path: studioPaths.chargeStripe, title: 'shell.titles.stripe', needs: 'charge.read' },
  { path: studioPaths.chargeSaid, title: 'shell.titles.said', needs: 'charge.read' },
  { path: studioPaths.chargeFigures, title: 'shell.titles.figures', needs: 'charge.read' },
] as const

/**
 * The pages of the settings, in the order of the sidebar. Relays, domain and keys are open to every member: these pages
 * say themselves who may read more.
 */
const settingsPages = [
  {
    path: studioPaths.generalSettings,
    title: 'shell.settings.general',
    about: 'shell.settingsAbout.general',
    needs: 'newsletter.read',
  },
  {
    path: studioPaths.brandingSettings,
    title: 'shell.settings.branding',
    about: 'shell.settingsAbout.branding',
    needs: 'newsletter.read',
  },
  {
    path: studioPaths.imageSettings,
    title: 'shell.settings.images',
    about: 'shell.settingsAbout.images',
    needs: 'media.read',
  },
  {
    path: studioPaths.senderSettings,
    title: 'shell.settings.sender',
    about: 'shell.settingsAbout.sender',
    needs: 'newsletter.read',
  },
  {
    path: studioPaths.subscribingSettings,
    title: 'shell.settings.subscribing',
    about: 'shell.settingsAbout.subscribing',
    needs: 'newsletter.read',
  },
  {
    path: studioPaths.relaySettings,
    title: 'shell.settings.relays',
    about: 'shell.settingsAbout.relays',
    needs: 'newsletter.read',
  },
  {
    path: studioPaths.domainSettings,
    title: 'shell.settings.domain',
    about: 'shell.settingsAbout.domain',
    needs: 'newsletter.read',
  },
  {
    path: studioPaths.memberSettings,
    title: 'shell.settings.members',
    about: 'shell.settingsAbout.members',
    needs: 'members.read',
  },
  {
    path: studioPaths.keySettings,
    title: 'shell.settings.keys',
    about: 'shell.settingsAbout.keys',
    needs: 'newsletter.read',
  },
  {
    path: studioPaths.auditSettings,
    title: 'shell.settings.audit',
    about: 'shell.settingsAbout.audit',
    needs: 'audit.read',
  },
] as const

/** The key of the sentence that names a page within another one. */
export type PageTitle = (
  | typeof subscriberPages
  | typeof advertisePages
  | typeof chargePages
  | typeof settingsPages
)[number]['title']

/** The key of the words that say what is on a page of the settings. */
type PageAbout = (typeof settingsPages)[number]['about']

const navigation: NavItem[] = [
  { path: studioPaths.dashboard, label: 'dashboard', icon: IconHome, needs: 'analytics.read' },
  { path: studioPaths.publish, label: 'publish', icon: IconPencil, needs: 'publications.read' },
  {
    path: studioPaths.subscribers,
    label: 'subscribers',
    icon: IconUsers,
    needs: 'subscribers.read',
    within: [...subscriberPages],
  },
  {
    path: studioPaths.advertise,
    label: 'advertise',
    icon: IconSpeakerphone,
    needs: 'links.read',
    within: [...advertisePages],
  },
  {
    path: studioPaths.charge,
    label: 'charge',
    icon: IconReceipt,
    needs: 'charge.read',
    within: [...chargePages],
  },
  { path: studioPaths.outbox, label: 'outbox', icon: IconInbox, needs: 'outbox.read' },
  {
    path: studioPaths.settings,
    label: 'settings',
    icon: IconSettings,
    needs: 'newsletter.read',
    within: [...settingsPages],
  },
]

/** The pages that somebody with these permissions finds. */
export const navigationFor = (may: (permission: Permission) => boolean): NavItem[] =>
  navigation
    .filter(({ needs }) => may(needs))
    .map((item) => (item.within ? { ...item, within: item.within.filter(({ needs }) => may(needs)) } : item))
