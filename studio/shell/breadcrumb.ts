import type { NavItem, PageTitle } from './navigation.ts'

/** The key of the sentence that names a page in the header. */
export type Breadcrumb =
  | `shell.nav.${NavItem['label']}`
  | PageTitle
  | 'shell.profile'
  | 'subscribers.subscriber'
  | 'shell.results'
  | 'shell.deliveries'

interface Handle {
  crumb: Breadcrumb
}

/** The handle of a route that names its page. */
export const breadcrumb = (crumb: Breadcrumb): Handle => ({ crumb })

/** Whether the handle of a route was made by `breadcrumb`. */
export const hasBreadcrumb = (handle: unknown): handle is Handle =>
  typeof handle === 'object' && handle !== null && 'crumb' in handle
