import { useEffect, useMemo, useRef, useState } from 'react'

interface Props {
  /** A whole document, from the server. */
  html: string
  dark: boolean
  title: string
  className?: string | undefined
}

/**
 * A page or a mail as its reader will see it, by day or by night.
 *
 * The frame runs no script and goes nowhere. It inherits this page's Content-Security-Policy, which refuses style
 * elements; constructed stylesheets are allowed, so the styles are taken out and adopted once it has loaded. On that way
 * `prefers-color-scheme` is answered for the chosen scheme, whatever the writer's own machine prefers.
 */
export function PreviewFrame({ html, dark, title, className }: Props) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [ready, setReady] = useState(false)
  const { page, styles } = useMemo(() => withoutStyles(html), [html])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page that was loaded is dressed anew when the scheme changes
  useEffect(() => applyStyles(frame.current, styles, dark), [styles, dark, ready])
  return (
    <iframe
      ref={frame}
      title={title}
      className={className}
      sandbox="allow-same-origin"
      srcDoc={page}
      style={{ visibility: ready ? 'visible' : 'hidden', colorScheme: dark ? 'dark' : 'light' }}
      onLoad={() => {
        applyStyles(frame.current, styles, dark)
        setReady(true)
      }}
    />
  )
}

function withoutStyles(html: string): { page: string; styles: string[] } {
  const styles: string[] = []
  // Taken out of the text, for a parser would already complain about them.
  const bare = html.replaceAll(/<style\b[^>]*>([\s\S]*?)<\/style>/gi, (_, css: string) => {
    styles.push(css)
    return ''
  })
  const parsed = new DOMParser().parseFromString(bare, 'text/html')
  for (const part of parsed.querySelectorAll('script, base, meta[http-equiv]')) part.remove()
  // In a sandbox without popups, what would open a new window does nothing.
  for (const link of parsed.querySelectorAll('a, form')) link.setAttribute('target', '_blank')
  return { page: `<!doctype html>${parsed.documentElement.outerHTML}`, styles }
}

function applyStyles(frame: HTMLIFrameElement | null, styles: string[], dark: boolean): void {
  const inside = frame?.contentDocument
  const Sheet = (frame?.contentWindow as (Window & typeof globalThis) | null | undefined)?.CSSStyleSheet
  if (!inside || !Sheet) return
  inside.documentElement.style.colorScheme = dark ? 'dark' : 'light'
  inside.adoptedStyleSheets = styles.map((text) => {
    const sheet = new Sheet()
    sheet.replaceSync(inScheme(text, dark))
    return sheet
  })
  for (const sheet of inside.styleSheets) if (sheet.href) overrideScheme(sheet, dark)
}

const always = '(min-width: 0px)'
const never = '(max-width: -1px)'

/** The same rules with the reader's scheme already answered. */
const inScheme = (css: string, dark: boolean): string =>
  css
    .replaceAll(/\(\s*prefers-color-scheme\s*:\s*dark\s*\)/g, dark ? always : never)
    .replaceAll(/\(\s*prefers-color-scheme\s*:\s*light\s*\)/g, dark ? never : always)

const originalMedia = new WeakMap<CSSRule, string>()

function overrideScheme(sheet: CSSStyleSheet, dark: boolean): void {
  for (const rule of sheet.cssRules) {
    const media = rule as Partial<CSSMediaRule>
    if (!media.media) continue
    const original = originalMedia.get(rule) ?? media.media.mediaText
    originalMedia.set(rule, original)
    media.media.mediaText = inScheme(original, dark)
  }
}
