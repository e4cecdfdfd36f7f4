import { notifications } from '@mantine/notifications'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../format.ts'

/** Says it when a field takes only the beginning of what is typed or pasted: browsers cut at `maxlength` without a word. */
export function useCutTextNotice(): void {
  const { t } = useTranslation()
  const format = useFormat()
  useEffect(() => {
    const tell = (event: InputEvent) => {
      const field = event.target
      if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return
      if (field.maxLength < 0 || event.isComposing || !event.data) return
      const selected = (field.selectionEnd ?? 0) - (field.selectionStart ?? 0)
      if (field.value.length - selected + event.data.length <= field.maxLength) return
      const count = field.maxLength
      notifications.show({ id: 'cut text', message: t('ui.cut', { count, n: format.number(count) }) })
    }
    document.addEventListener('beforeinput', tell)
    return () => document.removeEventListener('beforeinput', tell)
  }, [t, format])
}
