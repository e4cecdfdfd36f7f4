/** The faces a newsletter may be set in. Keys are stored in documents and newsletters; stacks never are. */
export const faceKeys = [
  'newsreader',
  'radio-canada',
  'bricolage-grotesque',
  'fraunces',
  'geist-mono',
  'serif',
  'sans',
  'mono',
] as const

export type FaceKey = (typeof faceKeys)[number]

export type FontKind = 'serif' | 'sans' | 'mono'

export interface Face {
  /** The face's own name, the same in every language; null for the three that use the fonts of the reader's device. */
  readonly label: string | null
  /** CSS `font-family` on our own pages. */
  readonly web: string
  /** CSS `font-family` in mail: no quotes, which would be entities in each attribute, and a fallback for clients that load no fonts. */
  readonly email: string
}

const serif = '"Iowan Old Style",Charter,Georgia,"Times New Roman",serif'
const sans = 'system-ui,-apple-system,"Segoe UI",Helvetica,Arial,sans-serif'
const mono = 'ui-monospace,Menlo,Consolas,"Courier New",monospace'

const face = (label: string | null, fallback: string): Face => {
  const web = label ? `"${label}",${fallback}` : fallback
  return { label, web, email: web.replaceAll('"', '') }
}

export const faces: Readonly<Record<FaceKey, Face>> = {
  newsreader: face('Newsreader', serif),
  'radio-canada': face('Radio Canada', sans),
  'bricolage-grotesque': face('Bricolage Grotesque', sans),
  fraunces: face('Fraunces', serif),
  'geist-mono': face('Geist Mono', mono),
  serif: face(null, serif),
  sans: face(null, sans),
  mono: face(null, mono),
}
