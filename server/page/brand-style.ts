import type { FaceKey } from './faces.ts'

/** The fixed inks of public pages and mail, by day and by night. */
export const day = {
  paper: '#FFFFFF',
  ink: '#181C1B',
  ink2: '#46504E',
  ink3: '#5F6967',
  rule: '#D9E0DE',
  field: '#7F8A87',
  err: '#B3231D',
  desk: '#EEF1F0',
} as const

export const night = {
  paper: '#121514',
  ink: '#EAEEED',
  ink2: '#BBC4C1',
  ink3: '#98A29F',
  rule: '#2C3331',
  field: '#76817E',
  err: '#FF8D80',
  desk: '#0B0E0D',
} as const

/** What makes one newsletter's pages and mail its own. Colours are `#RRGGBB`. */
export interface BrandStyle {
  accent: string
  onAccent: string
  wash: string
  accentNight: string
  onAccentNight: string
  washNight: string
  display: FaceKey
  text: FaceKey
  ui: FaceKey
  /** CSS `font-weight` and `letter-spacing` of the display face. */
  displayWeight: number
  displayTracking: string
}
