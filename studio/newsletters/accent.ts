import { brandStyle, defaultAccent } from '../../server/newsletters/branding.ts'

/** The colours of light and of dark pages for an accent. What is not yet a colour, while it is typed, is the default. */
export const accentStyle = (hex: string) => brandStyle(/^#[0-9a-f]{6}$/i.test(hex) ? hex : defaultAccent, 'gazette')
