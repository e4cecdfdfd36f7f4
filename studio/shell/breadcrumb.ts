import type { NavItem, settingsPages } from './navigation.ts'

/** The key of the sentence that names a page in the folio. */
export type Breadcrumb =
  | `shell.nav.${NavItem['label']}`
  | `shell.settings.${(typeof settingsPages)[number]['label']}`
  | 'shell.profile'
  | 'shell.results'
  | 'shell.deliveries'

/** A route's handle with the name of its page. */
export const breadcrumb = (crumb: Breadcrumb) => ({ crumb })
