import { createHash } from 'node:crypto'
import { renderToStaticMarkup } from 'react-dom/server'
import { AppError } from '../errors.ts'
import { page, type Route } from '../http/routes.ts'
import type { Language } from '../languages.ts'
import { RenderedPage } from '../page/render.ts'
import { sendPage } from '../page/send.ts'
import { translator } from '../translator.ts'
import { videoAddress } from './document/video.ts'

/** The address of our page around the player of a provider's video. */
export const playerPath = (url: string): string => `/player?${new URLSearchParams({ video: url })}`

const style = 'html,body,iframe{width:100%;height:100%;margin:0;border:0;background:#0b0e0d}iframe{display:block}'
const styleHash = `'sha256-${createHash('sha256').update(style).digest('base64')}'`

/**
 * The player of one video, for the preview in the owner app.
 *
 * A preview inherits the policy of the app, which frames our own pages only. So it frames this page, and this page may frame
 * that one player and nothing else.
 */
export const playerRoute: Route = page('GET /player', (request, reply) => {
  const { video } = request.query
  const embed = typeof video === 'string' ? videoAddress(video)?.embed : null
  if (!embed) throw new AppError('not_found')
  return sendPage(reply, playerPage(embed, request.language))
})

function playerPage(embed: string, language: Language): RenderedPage {
  const title = translator(language)('document.video')
  const markup = renderToStaticMarkup(
    <html lang={language}>
      <head>
        <meta charSet="utf-8" />
        <meta name="robots" content="noindex" />
        <title>{title}</title>
        <style>{style}</style>
      </head>
      <body>
        <iframe src={embed} title={title} allowFullScreen referrerPolicy="strict-origin-when-cross-origin" />
      </body>
    </html>,
  )
  return new RenderedPage(`<!doctype html>${markup}`, policyFor(embed))
}

/** A source of a policy has no query. */
const policyFor = (embed: string): string =>
  [
    "default-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    `style-src ${styleHash}`,
    `frame-src ${embed.split('?')[0]}`,
  ].join('; ')
