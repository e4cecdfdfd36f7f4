import { brandStyle, defaultAccent } from '../../server/newsletters/branding.ts'

/** The accent of a light page. What is not yet a colour, while it is typed, is the default. */
export const readableAccent = (hex: string): string => styleOf(hex).accent

/** The accent of a dark page. */
export const nightAccent = (hex: string): string => styleOf(hex).accentNight

/** The colour of letters on the accent of a dark page. */
export const onNightAccent = (hex: string): string => styleOf(hex).onAccentNight

const styleOf = (hex: string) => brandStyle(/^#[0-9a-f]{6}$/i.test(hex) ? hex : defaultAccent, 'gazette')
