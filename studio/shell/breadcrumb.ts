import type { NavItem, PageTitle } from './navigation.ts'

/** The key of the sentence that names a page in the header. */
export type Breadcrumb =
  | `shell.nav.${NavItem['label']}`
  | PageTitle
  | 'shell.profile'
  | 'shell.titles.help'
  | 'shell.titles.subscriber'
  | 'shell.results'
  | 'shell.deliveries'
  | 'shell.titles.sideBySide'

export interface Handle {
  crumb: Breadcrumb
  /** Whether all that the page shows follows the live stream. Only such a page has the word *Live*. */
  isLive?: boolean
}

/** The handle of a route that names its page. */
export const breadcrumb = (crumb: Breadcrumb, more: Pick<Handle, 'isLive'> = {}): Handle => ({ crumb, ...more })

/** Whether the handle of a route was made by `breadcrumb`. */
export const hasBreadcrumb = (handle: unknown): handle is Handle =>
  typeof handle === 'object' && handle !== null && 'crumb' in handle
