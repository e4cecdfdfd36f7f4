import type { FormEvent } from 'react'
import { isLanguage } from '../../../../server/languages.ts'
import { correctionOf } from './typed-signs.ts'

type Field = HTMLInputElement | HTMLTextAreaElement

/** For `onInput` of a plain field with words for readers: what `Corrections` does in a text, by the `lang` of the field. */
export function corrected({ currentTarget: field, nativeEvent: event }: FormEvent<Field>): void {
  if (!(event instanceof InputEvent) || event.inputType !== 'insertText' || event.data?.length !== 1) return
  const language = field.closest<HTMLElement>('[lang]')?.lang
  if (!isLanguage(language)) return
  const caret = field.selectionStart ?? 0
  const found = correctionOf(field.value.slice(0, caret), language)
  if (!found) return
  field.setSelectionRange(found.from, found.to)
  // The only way to change a field that the browser can undo.
  document.execCommand('insertText', false, found.by)
}
