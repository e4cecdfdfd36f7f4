import {
  IconHome,
  IconInbox,
  IconPencil,
  IconReceiptEuro,
  IconSettings,
  IconSpeakerphone,
  IconUsers,
} from '@tabler/icons-react'
import { studioPaths } from '../../server/http/studio-paths.ts'

type Icon = typeof IconHome

export interface NavItem {
  path: string
  label: 'dashboard' | 'publish' | 'subscribers' | 'advertise' | 'charge' | 'outbox' | 'settings'
  icon: Icon
  within?: { path: string; label: 'general' | 'branding' | 'sender' | 'relays' | 'domain' | 'members' | 'keys' }[]
}

/** The pages of the settings, in the order of the sidebar. */
export const settingsPages = [
  { path: studioPaths.generalSettings, label: 'general' },
  { path: studioPaths.brandingSettings, label: 'branding' },
  { path: studioPaths.senderSettings, label: 'sender' },
  { path: studioPaths.relaySettings, label: 'relays' },
  { path: studioPaths.domainSettings, label: 'domain' },
  { path: studioPaths.memberSettings, label: 'members' },
  { path: studioPaths.keySettings, label: 'keys' },
] as const

export const navigation: NavItem[] = [
  { path: studioPaths.dashboard, label: 'dashboard', icon: IconHome },
  { path: studioPaths.publish, label: 'publish', icon: IconPencil },
  { path: studioPaths.subscribers, label: 'subscribers', icon: IconUsers },
  { path: studioPaths.advertise, label: 'advertise', icon: IconSpeakerphone },
  { path: studioPaths.charge, label: 'charge', icon: IconReceiptEuro },
  { path: studioPaths.outbox, label: 'outbox', icon: IconInbox },
  { path: studioPaths.settings, label: 'settings', icon: IconSettings, within: [...settingsPages] },
]
