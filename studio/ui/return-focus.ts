import { useLayoutEffect, useMemo, useRef } from 'react'
import { focusPlace, type Place, placeOf } from './focus-place.ts'

/**
 * Gives the focus back to whatever had it when a dialog or a form opened, so that a keyboard goes on from there.
 * Mantine does so only for dialogs that are there before they open, and not when a menu opened them.
 */
export function useReturnFocus(opened: boolean): void {
  // As it is drawn. Afterwards the item of a menu that was pressed may be gone.
  const opener = useMemo(() => (opened ? openerOf(document.activeElement) : null), [opened])
  const before = useRef<Place | null>(null)
  useLayoutEffect(() => {
    // React puts a focus that is moved while it removes effects back into a dialog that stays for its transition.
    if (!opened) return giveBack(before.current)
    before.current = opener
    return () => giveBack(opener)
  }, [opened, opener])
}

function giveBack(opener: Place | null): void {
  const { activeElement } = document
  // Whoever has taken the focus elsewhere by now keeps it.
  if (opener && (activeElement === document.body || activeElement?.closest('[role="dialog"]'))) focusPlace(opener)
}

/** An item goes away with its menu. The button that opened the menu stays. */
function openerOf(active: Element | null) {
  const menu = active?.closest('[role="menu"]')
  const opener = menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : active
  return opener instanceof HTMLElement && opener !== document.body ? placeOf(opener) : null
}
