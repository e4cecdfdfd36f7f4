import type { FontKind } from '../page/faces.ts'

/** Fonts that Windows has. */
const windowsFonts: Readonly<Record<FontKind, string>> = {
  serif: 'Georgia,serif',
  sans: "'Segoe UI',Arial,sans-serif",
  mono: "Consolas,'Courier New',monospace",
}

const endings: Readonly<Record<string, FontKind>> = { serif: 'serif', 'sans-serif': 'sans', monospace: 'mono' }

/**
 * Rules that only Outlook for Windows reads. It lays mail out with Word, which
 * - ignores padding on links, so a button has it on its cell;
 * - takes `line-height` for the smallest one, and adds space around tables;
 * - puts the bullets of a list without a margin outside of the text;
 * - hides only what `mso-hide` hides.
 */
const rules = [
  'table,td{mso-table-lspace:0pt;mso-table-rspace:0pt}',
  'h1,h2,h3,h4,h5,h6{mso-line-height-rule:exactly}',
  'ul,ol{margin-left:28px !important}',
  '.btn{padding:14px 26px}',
  '.pre{mso-hide:all}',
  ...Object.entries(windowsFonts).map(([kind, fonts]) => `.${kind}{font-family:${fonts} !important}`),
].join('')

/** Pixels of a mail are points of a screen with 96 dots an inch, also where Windows enlarges everything. */
const settings =
  '<xml xmlns:o="urn:schemas-microsoft-com:office:office"><o:OfficeDocumentSettings><o:PixelsPerInch>96</o:PixelsPerInch></o:OfficeDocumentSettings></xml>'

const onlyOutlook = (markup: string): string => `<!--[if mso]>${markup}<![endif]-->`

/** Adds to a mail what Outlook for Windows needs, in comments that no other program reads. */
export const withOutlook = (markup: string, width: number): string =>
  withFontClasses(markup)
    .replace('</head>', `${onlyOutlook(`<noscript>${settings}</noscript><style>${rules}</style>`)}</head>`)
    // Word knows no `max-width`, so a table of a fixed width goes around the one that is as wide as the window.
    .replace(/<sheet>(.*)<\/sheet>/s, (_, sheet: string) => {
      const table = `<table role="presentation" align="center" width="${width}" border="0" cellpadding="0" cellspacing="0"><tr><td>`
      return `${onlyOutlook(table)}${sheet}${onlyOutlook('</td></tr></table>')}`
    })

/**
 * Word reads only the first font of a list, and shows Times New Roman when it does not have it. So each element with a
 * font of its own gets a class for the kind of font that its list ends with.
 */
const withFontClasses = (markup: string): string =>
  markup.replaceAll(/<\w+((?: [\w-]+="[^"]*")+)/g, (tag, attributes: string) => {
    const fonts = / style="(?:[^"]*;)?font-family:([^;"]*)/.exec(attributes)?.[1]
    const kind = endings[fonts?.split(',').at(-1) ?? '']
    if (!kind) return tag
    return tag.includes(' class="') ? tag.replace(' class="', ` class="${kind} `) : `${tag} class="${kind}"`
  })
