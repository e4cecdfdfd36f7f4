import type { CSSProperties } from 'react'
import { type BrandStyle, day, night } from '../page/brand-style.ts'
import { type FaceKey, faces } from '../page/faces.ts'

declare module 'react' {
  interface TdHTMLAttributes<T> {
    /** Obsolete, but Outlook for Windows paints no other background under a button. */
    bgcolor?: string
  }
}

export const mailWidth = 600
export const gutter = 40

/** The CSS `font-family` of a face in mail. */
export const mailFont = (key: FaceKey): string => faces[key].email

/**
 * On every table of one column: else its column grows with the longest word or address in it, and the mail scrolls
 * sideways on a phone. The words break by `word-wrap`, which the sheet sets.
 */
export const fixedLayout = { tableLayout: 'fixed' } as const

export const textStyle = (style: BrandStyle): CSSProperties => ({
  fontFamily: mailFont(style.text),
  fontSize: 18,
  lineHeight: '29px',
  color: day.ink,
})

export const smallStyle = (style: BrandStyle): CSSProperties => ({
  fontFamily: mailFont(style.ui),
  fontSize: 13,
  lineHeight: '21px',
  color: day.ink3,
})

/** Attributes of every layout table, for mail programs that ignore styles. */
export const layout = { role: 'presentation', width: '100%', border: 0, cellPadding: 0, cellSpacing: 0 } as const

/** The cell of a button, which is as wide as its label and at most as wide as the text. */
export const buttonStyle = (style: BrandStyle): CSSProperties => ({
  background: style.accent,
  borderRadius: 4,
  wordBreak: 'break-word',
})

export const buttonText = (style: BrandStyle): CSSProperties => ({
  fontFamily: mailFont(style.ui),
  fontSize: 16,
  lineHeight: '20px',
  fontWeight: 600,
  color: style.onAccent,
  textDecoration: 'none',
})

/** The words that stand where a picture is not shown. */
export const altStyle = (style: BrandStyle): CSSProperties => ({
  fontFamily: mailFont(style.ui),
  fontSize: 15,
  lineHeight: '22px',
  color: day.ink2,
})

/** Pixels on each side of the text on a phone. */
export const phoneGutter = 22

/** A cell of a table of data on a phone, in CSS pixels. */
export const phoneCell = { fontSize: 14, side: 5 }

const phoneRules = {
  '.px': `padding-left:${phoneGutter}px;padding-right:${phoneGutter}px`,
  '.h1': 'font-size:36px;line-height:40px',
  '.dt': `font-size:${phoneCell.fontSize}px;line-height:20px;padding:6px ${phoneCell.side}px 2px`,
}

const darkRules = (style: BrandStyle) => ({
  '.bg': `background:${night.desk}`,
  '.wrap': `background:${night.paper}`,
  '.tx,.tx h1,.tx h2,.tx h3,.tx h4,.tx h5,.tx h6': `color:${night.ink}`,
  '.mu': 'color:#A9B3B0',
  'a,.ac': `color:${style.accentNight}`,
  '.rl': `border-color:${night.rule}`,
  '.qt': `border-color:${style.accentNight}`,
  '.box': `background:${style.washNight}`,
  '.btn': `background:${style.accentNight}`,
  '.btn a': `color:${style.onAccentNight}`,
})

/** Rules that outrank inline styles. Outlook and Orange want the space before `!important`. */
const important = (rules: Record<string, string>): string =>
  Object.entries(rules)
    .map(
      ([selector, declarations]) => `${selector}{${`${declarations};`.replaceAll(';', ' !important;').slice(0, -1)}}`,
    )
    .join('')

/**
 * The only rules of a mail: what changes on phones and in dark mode. Everything else is inline, so that a mail looks right
 * without them.
 *
 * Classes: `bg` background, `wrap` sheet, `px` gutter, `tx` text, `mu` quiet text, `rl` rules, `qt` quotation, `box` wash, `btn` button,
 * `dt` cell of data, `pre` preheader.
 */
export const mailRules = (style: BrandStyle): string =>
  [
    ':root{color-scheme:light dark;supported-color-schemes:light dark}',
    'body{margin:0;padding:0;-webkit-text-size-adjust:100%}img{border:0}',
    '.pre{display:none}',
    `@media (max-width:620px){${important(phoneRules)}}`,
    `@media (prefers-color-scheme:dark){${important(darkRules(style))}}`,
  ].join('')
