import type { PublicationDocument } from '../../publications/document/schema.ts'
import type { Scene } from '../scenes.ts'

/** A publication as it was written, before it has an id, a date or readers. */
export interface Piece {
  slug: string
  title: string
  subtitle: string
  subject?: string
  language: 'en' | 'fr'
  /** Whole weeks before the newsletter's last usual day; absent for what was never sent. */
  weeksAgo?: number
  webOnly?: true
  cover?: Scene
  content: PublicationDocument
}
