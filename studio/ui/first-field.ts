import { type RefObject, useEffect, useRef } from 'react'

/** Those that are seen and can be changed. Of some radio buttons, it is the one that is chosen. */
export const field =
  ':is(input:not([type="hidden"], [type="file"], [type="radio"]:not(:checked)), textarea, select):not(:disabled, [tabindex="-1"])'

/** For a form that appears in the page when a button is pressed: whoever pressed it sees it whole and can type at once. */
export function useFirstField(): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    form.current?.scrollIntoView({ block: 'nearest' })
    form.current?.querySelector<HTMLElement>(field)?.focus()
  }, [])
  return form
}
