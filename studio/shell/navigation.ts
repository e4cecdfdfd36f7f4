import { studioPaths } from '../../server/http/studio-paths.ts'
import type { Permission } from '../../server/permissions.ts'
import {
  type Icon,
  IconHome,
  IconInbox,
  IconPencil,
  IconReceiptEuro,
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
  within?: {
    path: string
    label:
      | 'general'
      | 'branding'
      | 'images'
      | 'sender'
      | 'subscribing'
      | 'relays'
      | 'domain'
      | 'members'
      | 'keys'
      | 'audit'
    needs: Permission
  }[]
}

/**
 * The pages of the settings, in the order of the sidebar. Relays, domain and keys are open to every member: these pages
 * say themselves who may read more.
 */
export const settingsPages = [
  { path: studioPaths.generalSettings, label: 'general', needs: 'newsletter.read' },
  { path: studioPaths.brandingSettings, label: 'branding', needs: 'newsletter.read' },
  { path: studioPaths.imageSettings, label: 'images', needs: 'media.read' },
  { path: studioPaths.senderSettings, label: 'sender', needs: 'newsletter.read' },
  { path: studioPaths.subscribingSettings, label: 'subscribing', needs: 'newsletter.read' },
  { path: studioPaths.relaySettings, label: 'relays', needs: 'newsletter.read' },
  { path: studioPaths.domainSettings, label: 'domain', needs: 'newsletter.read' },
  { path: studioPaths.memberSettings, label: 'members', needs: 'members.read' },
  { path: studioPaths.keySettings, label: 'keys', needs: 'newsletter.read' },
  { path: studioPaths.auditSettings, label: 'audit', needs: 'audit.read' },
] as const

const navigation: NavItem[] = [
  { path: studioPaths.dashboard, label: 'dashboard', icon: IconHome, needs: 'analytics.read' },
  { path: studioPaths.publish, label: 'publish', icon: IconPencil, needs: 'publications.read' },
  { path: studioPaths.subscribers, label: 'subscribers', icon: IconUsers, needs: 'subscribers.read' },
  { path: studioPaths.advertise, label: 'advertise', icon: IconSpeakerphone, needs: 'newsletter.read' },
  { path: studioPaths.charge, label: 'charge', icon: IconReceiptEuro, needs: 'newsletter.read' },
  // Analysts find it as well, and the page tells them that they may not read the mails.
  { path: studioPaths.outbox, label: 'outbox', icon: IconInbox, needs: 'deliveries.read' },
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
