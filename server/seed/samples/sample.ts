import type { PublicationDocument } from '../../publications/document/schema.ts'
import type { Scene } from '../scenes.ts'

/** A publication as it is written, before it has an id, a date or subscribers. */
export interface SamplePublication {
  slug: string
  title: string
  subtitle: string
  subject?: string
  language: 'en' | 'fr'
  /** Whole weeks before the last usual day of sending; absent when it was never sent. */
  weeksAgo?: number
  webOnly?: true
  cover?: Scene
  content: PublicationDocument
}
