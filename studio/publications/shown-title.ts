import type { TFunction } from 'i18next'
import { typeset } from '../../server/publications/document/typography.ts'
import type { PublicationSummary } from './queries.ts'

/** The title of a publication as its readers see it: no line of it begins with a mark. Where it is written, it stays as it was typed. */
export const shownTitle = ({ title, language }: Pick<PublicationSummary, 'title' | 'language'>, t: TFunction): string =>
  typeset(title, language) || t('publish.untitled')
