import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { fitHeight } from '../../../ui/fit-height.ts'
import { linksInside } from '../../../ui/html-frame.ts'
import { SchemeOverride, withholdPictures } from './scheme-override.ts'

interface Props {
  /** A whole HTML document from the server. */
  html: string
  dark: boolean
  title: string
  /** Whether players of videos may run in it, which need scripts. A document without any is allowed none. */
  plays?: boolean
  className?: string | undefined
}

/** Scripts never run in the document itself: players do, in frames of their own, if the sandbox around them lets them. */
const noScripts = `<meta http-equiv="Content-Security-Policy" content="script-src 'none'">`

/**
 * Shows a page or a mail as its reader will see it, in a light or a dark scheme.
 *
 * The document in the sandboxed frame runs no scripts and follows no links but those to a place in itself. It inherits this page's Content-Security-Policy, which refuses
 * style elements but allows constructed stylesheets. So the styles are taken out of the document and adopted once it is
 * parsed. On the way, `prefers-color-scheme` is replaced by the chosen scheme, whatever the writer's own system prefers.
 */
export function PreviewFrame({ html, dark, title, plays: mayPlay = false, className }: Props) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [ready, setReady] = useState(false)
  const { page, styles } = useMemo(() => withoutStyles(html), [html])
  const plays = mayPlay && /<iframe[\s>]/i.test(page)
  const [scheme] = useState(() => new SchemeOverride())
  const apply = useCallback(() => {
    const inside = frame.current?.contentDocument
    if (inside) scheme.apply(inside, styles, dark)
  }, [scheme, styles, dark])
  useEffect(apply, [apply])
  // As soon as the document is parsed. Its `load` event waits for every image, and one may never arrive.
  const shown = useRef<Document | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page is a new document
  useEffect(() => {
    let next = 0
    let stopFitting = () => {}
    const showParsed = () => {
      const inside = frame.current?.contentDocument
      if (inside && inside !== shown.current && inside.URL === 'about:srcdoc' && inside.readyState !== 'loading') {
        shown.current = inside
        apply()
        inside.addEventListener('keydown', passEscapeOn)
        if (frame.current) stopFitting = fitHeight(frame.current)
        setReady(true)
      } else {
        next = requestAnimationFrame(showParsed)
      }
    }
    showParsed()
    return () => {
      cancelAnimationFrame(next)
      stopFitting()
    }
  }, [page, apply])
  return (
    <iframe
      // What a sandbox allows is read when its document is opened, so another sandbox is another frame.
      key={String(plays)}
      ref={frame}
      title={title}
      className={className}
      sandbox={plays ? 'allow-same-origin allow-scripts' : 'allow-same-origin'}
      allow="fullscreen"
      srcDoc={page}
      style={{ visibility: ready ? 'visible' : 'hidden', colorScheme: dark ? 'dark' : 'light' }}
      // Linked style sheets have arrived by then.
      onLoad={apply}
    />
  )
}

/** What is pressed in a frame stays in it. Escape is of what is around. */
function passEscapeOn({ key, view }: KeyboardEvent): void {
  if (key === 'Escape') view?.frameElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
}

/** A drawn cover takes a moment. A mail has no height for it, so that no box stays where pictures are blocked; here its place is kept. */
const placeOfCover = 'img[src*="/cover/"] { aspect-ratio: 16 / 9 }'

function withoutStyles(html: string): { page: string; styles: string[] } {
  const styles: string[] = [placeOfCover]
  // Removed from the text before parsing: a parser already reports style elements as policy violations.
  const bare = linksInside(html).replaceAll(/<style\b[^>]*>([\s\S]*?)<\/style>/gi, (_, css: string) => {
    styles.push(css)
    return ''
  })
  const parsed = new DOMParser().parseFromString(bare, 'text/html')
  for (const part of parsed.querySelectorAll('script, base, meta[http-equiv]')) part.remove()
  withholdPictures(parsed)
  // The sandbox allows no popups, so a link that opens a new window does nothing.
  for (const link of parsed.querySelectorAll('a:not([href^="about:srcdoc#"]), form'))
    link.setAttribute('target', '_blank')
  parsed.head.insertAdjacentHTML('afterbegin', noScripts)
  return { page: `<!doctype html>${parsed.documentElement.outerHTML}`, styles }
}
