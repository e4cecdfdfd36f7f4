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

/**
 * The only rules of a mail: what changes on phones and in dark mode. Everything else is inline, so that a mail looks right
 * without them.
 *
 * Classes: `bg` background, `wrap` sheet, `px` gutter, `tx` text, `mu` quiet text, `rl` rules, `box` wash, `btn` button.
 */
export const mailRules = (style: BrandStyle): string =>
  [
    ':root{color-scheme:light dark;supported-color-schemes:light dark}',
    'body{margin:0;padding:0;-webkit-text-size-adjust:100%}img{border:0}',
    '@media(max-width:620px){.wrap{width:100%!important}.px{padding-left:22px!important;padding-right:22px!important}',
    '.h1{font-size:36px!important;line-height:40px!important}.img{width:100%!important;height:auto!important}}',
    '@media(prefers-color-scheme:dark){',
    `.bg{background:${night.desk}!important}.wrap{background:${night.paper}!important}`,
    `.tx,.tx h1,.tx h2,.tx h3,.tx h4,.tx h5,.tx h6{color:${night.ink}!important}.mu{color:#A9B3B0!important}`,
    `a,.ac{color:${style.accentNight}!important}.rl{border-color:${night.rule}!important}`,
    `.box{background:${style.washNight}!important}`,
    `.btn{background:${style.accentNight}!important}.btn a{color:${style.onAccentNight}!important}}`,
  ].join('')
