import type { TFunction } from 'i18next'
import { holdMarks } from '../../i18n/french-spaces.ts'

/** The title of a publication or an issue where it is read. Where it is written, it stays as it was typed. */
export const shownTitle = (title: string | null | undefined, t: TFunction): string =>
  holdMarks(title ?? '') || t('ui.untitled')
