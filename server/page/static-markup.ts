import type { ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'

/** Markup for a mail or a feed, without the preload links that React adds for each picture: they are for pages only. */
export const staticMarkup = (element: ReactElement): string =>
  renderToStaticMarkup(element).replaceAll(/<link rel="preload"[^>]*>/g, '')
