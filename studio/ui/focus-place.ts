import { useEffect, useRef } from 'react'
import { useNavigationType } from 'react-router'

/** Where something stands in the page: it still says where to go on when the thing itself is gone. */
export interface Place {
  element: HTMLElement
  /** The element and all around it, from the inside out, each with its number among its neighbours. */
  path: { node: Element; index: number }[]
  page: string
  name: string
}

/** Text fields are left out: on a phone they would bring up its keyboard, which nobody has asked for. */
const controls =
  ':is(a[href], button, summary, input:is([type="checkbox"], [type="radio"])):not(:disabled, [tabindex="-1"])'

export function placeOf(element: HTMLElement): Place {
  const path: Place['path'] = []
  for (let node: Element = element; node.parentElement; node = node.parentElement)
    path.push({ node, index: Array.prototype.indexOf.call(node.parentElement.children, node) })
  return { element, path, page: location.pathname, name: nameOf(element) }
}

/**
 * Puts the focus there. When it is gone or disabled: on what has come in its place, such as the next row of a table, else on what stands before it.
 * On another page it is where that page begins.
 */
export function focusPlace({ element, path, page, name }: Place): void {
  if (page !== location.pathname) focusMain()
  else if (element.isConnected && !element.matches(':disabled')) element.focus()
  else standInFor(path, name)?.focus()
}

/** To where the page begins, behind what is around every page. */
export const focusMain = () => document.getElementById('main')?.focus({ preventScroll: true })

/** Begins a page that somebody was led to where it begins. Browsers leave the focus nowhere when all of the page before goes. */
export function useFocusOnArrival(): void {
  const how = useNavigationType()
  const led = useRef(how !== 'POP')
  useEffect(() => {
    if (led.current && document.activeElement === document.body) focusMain()
  }, [])
}

function standInFor(path: Place['path'], name: string): HTMLElement | null {
  const found = path.findIndex(({ node }) => node.isConnected)
  for (let level = Math.max(found, 1); level < path.length; level += 1) {
    const around = path[level]?.node
    const inside = path[level - 1]
    // Outside of the page and of a dialog there are only menus and notices, of which nobody wants to go on from another one.
    if (!around?.closest('main, [role="dialog"]') || !inside) return null
    const reached = [...around.querySelectorAll<HTMLElement>(controls)].filter((one) => one.getClientRects().length > 0)
    const successor = inside.node.isConnected ? null : around.children[inside.index]
    const before = (one: HTMLElement) => numberIn(around, one) < inside.index
    const succeeding = reached.filter((one) => successor?.contains(one))
    const next =
      succeeding.find((one) => nameOf(one) === name) ?? succeeding[0] ?? reached.findLast(before) ?? reached[0]
    if (next) return next
  }
  return null
}

const nameOf = (element: Element): string => element.getAttribute('aria-label') ?? element.textContent ?? ''

/** The number of the child of `around` that has it. */
const numberIn = (around: Element, one: Element): number =>
  [...around.children].findIndex((child) => child.contains(one))
