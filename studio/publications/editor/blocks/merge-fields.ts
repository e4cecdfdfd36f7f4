import type { TFunction } from 'i18next'
import { knownValue } from '../../../../server/publications/document/known-value.ts'

/** What every subscriber may have. Other fields are those that the newsletter's owner made. */
export const mergeFields = ['name', 'first_name', 'email'] as const

/** What a field is called. One that the owner made has the name that they gave it. */
export function mergeFieldWord(t: TFunction, field: string): string {
  const known = knownValue(mergeFields, field)
  return known ? t(`editor.node.fields.${known}`) : field
}
