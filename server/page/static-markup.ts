import type { ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'

/** Markup for a mail or a feed: React adds a preload for each picture, also for the one that counts, which is for pages. */
export const staticMarkup = (element: ReactElement): string =>
  renderToStaticMarkup(element).replaceAll(/<link rel="preload"[^>]*>/g, '')
