import type { TFunction } from 'i18next'
import { holdMarks } from '../../server/publications/document/french-spaces.ts'

/** The title of a publication in a list or a sentence. Where it is written, it stays as it was typed. */
export const shownTitle = ({ title }: { title: string }, t: TFunction): string =>
  holdMarks(title) || t('publish.untitled')
