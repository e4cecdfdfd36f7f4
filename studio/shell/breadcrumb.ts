import type { NavItem, settingsPages } from './navigation.ts'

/** The key of the sentence that names a page in the header. */
export type Breadcrumb =
  | `shell.nav.${NavItem['label']}`
  | `shell.settings.${(typeof settingsPages)[number]['label']}`
  | 'shell.profile'
  | 'shell.results'
  | 'shell.deliveries'
  | 'segments.title'
  | 'segments.labels.title'

interface Handle {
  crumb: Breadcrumb
}

/** The handle of a route that names its page. */
export const breadcrumb = (crumb: Breadcrumb): Handle => ({ crumb })

/** Whether the handle of a route was made by `breadcrumb`. */
export const hasBreadcrumb = (handle: unknown): handle is Handle =>
  typeof handle === 'object' && handle !== null && 'crumb' in handle
