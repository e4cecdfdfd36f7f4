const always = '(min-width: 0px)'
const never = '(max-width: -1px)'

/** Until a scheme is applied, a picture that follows the device is that of no scheme: none is loaded that is not shown. */
export function withholdPictures(page: Document): void {
  for (const source of page.querySelectorAll('source')) {
    if (!source.media.includes('prefers-color-scheme')) continue
    source.dataset.media = source.media
    source.media = 'not all'
  }
}

/** Shows a document of another frame in a chosen colour scheme, whatever scheme the system prefers. */
export class SchemeOverride {
  /** The media queries of linked style sheets as they were before the first change. */
  readonly #originalMedia = new WeakMap<CSSRule, string>()

  /** Adopts `styles` in the document and replaces `prefers-color-scheme` in all its styles and pictures. May be called repeatedly. */
  apply(page: Document, styles: string[], dark: boolean): void {
    const Sheet = page.defaultView?.CSSStyleSheet
    const root: HTMLElement | null = page.documentElement
    // A document that another one is replacing has no window or no element yet.
    if (!Sheet || !root) return
    root.style.colorScheme = dark ? 'dark' : 'light'
    page.adoptedStyleSheets = styles.map((text) => {
      const sheet = new Sheet()
      sheet.replaceSync(inScheme(text, dark))
      return sheet
    })
    for (const sheet of page.styleSheets) if (sheet.href) this.#override(sheet, dark)
    for (const source of page.querySelectorAll('source'))
      source.media = inScheme(source.dataset.media ?? source.media, dark)
  }

  #override(sheet: CSSStyleSheet, dark: boolean): void {
    for (const rule of sheet.cssRules) {
      if (!isMediaRule(rule)) continue
      rule.media.mediaText = inScheme(this.#original(rule, rule.media.mediaText), dark)
    }
  }

  #original(of: CSSRule, media: string): string {
    const original = this.#originalMedia.get(of) ?? media
    this.#originalMedia.set(of, original)
    return original
  }
}

/** The rule comes from another frame, so `instanceof` does not recognise it. */
const isMediaRule = (rule: CSSRule): rule is CSSMediaRule => 'media' in rule && Boolean(rule.media)

/** Replaces `prefers-color-scheme` by a condition that is always or never true. */
const inScheme = (css: string, dark: boolean): string =>
  css
    .replaceAll(/\(\s*prefers-color-scheme\s*:\s*dark\s*\)/g, dark ? always : never)
    .replaceAll(/\(\s*prefers-color-scheme\s*:\s*light\s*\)/g, dark ? never : always)
