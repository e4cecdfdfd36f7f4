import { useEffect } from 'react'
import { focusPlace, type Place, placeOf } from './focus-place.ts'

/**
 * When what has the focus goes away (a deleted row, a button whose act is done, the page before) or is disabled, such as *Save* once all is saved, the
 * focus goes on from where it was.
 * Browsers leave it nowhere, and a keyboard would begin again at the top of the page.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let last: Place | null = null
    const remember = ({ target }: FocusEvent) => {
      last = target instanceof HTMLElement && target !== document.body ? placeOf(target) : null
    }
    const goOn = () => {
      if (!last) return
      const { activeElement } = document
      // What is disabled has the focus until the page is drawn.
      const isLost = activeElement === document.body || activeElement === last.element
      const isGone = !last.element.isConnected || last.element.matches(':disabled')
      if (!isLost || !isGone) return
      const place = last
      last = null
      focusPlace(place)
    }
    const observer = new MutationObserver(goOn)
    observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] })
    document.addEventListener('focusin', remember)
    return () => {
      observer.disconnect()
      document.removeEventListener('focusin', remember)
    }
  }, [])
}
