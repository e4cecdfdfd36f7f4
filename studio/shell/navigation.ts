import {
  IconHome,
  IconInbox,
  IconPencil,
  IconReceiptEuro,
  IconSettings,
  IconSpeakerphone,
  IconUsers,
} from '@tabler/icons-react'

type Icon = typeof IconHome

export interface NavItem {
  path: string
  label: 'dashboard' | 'publish' | 'subscribers' | 'advertise' | 'charge' | 'outbox' | 'settings'
  icon: Icon
  within?: { path: string; label: 'general' | 'branding' | 'sender' | 'relays' | 'domain' | 'members' | 'keys' }[]
}

/** The settings' own pages, in the order of the sidebar. */
export const settingsPages = [
  { path: '/settings/general', label: 'general' },
  { path: '/settings/branding', label: 'branding' },
  { path: '/settings/sender', label: 'sender' },
  { path: '/settings/relays', label: 'relays' },
  { path: '/settings/domain', label: 'domain' },
  { path: '/settings/members', label: 'members' },
  { path: '/settings/keys', label: 'keys' },
] as const

export const navigation: NavItem[] = [
  { path: '/dashboard', label: 'dashboard', icon: IconHome },
  { path: '/publish', label: 'publish', icon: IconPencil },
  { path: '/subscribers', label: 'subscribers', icon: IconUsers },
  { path: '/advertise', label: 'advertise', icon: IconSpeakerphone },
  { path: '/charge', label: 'charge', icon: IconReceiptEuro },
  { path: '/outbox', label: 'outbox', icon: IconInbox },
  { path: '/settings', label: 'settings', icon: IconSettings, within: [...settingsPages] },
]
