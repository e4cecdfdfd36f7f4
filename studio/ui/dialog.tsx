import { type DrawerProps, Drawer as MantineDrawer, Modal, type ModalProps } from '@mantine/core'
import { createContext, type ReactNode, useContext, useLayoutEffect, useRef, useState } from 'react'
import { field } from './first-field.ts'
import { useReturnFocus } from './return-focus.ts'

const marked = '[data-autofocus]'

/** To a screen reader a `<header>` is the page’s own, and a page has one already. */
const attributes = { header: { role: 'presentation' } }

/** Hears of a dialog that opens over the one around it, and of its end. */
const Below = createContext<(isCovered: boolean) => void>(() => {})

/** Escape closes the uppermost dialog alone. */
function useLayers(opened: boolean) {
  const cover = useContext(Below)
  const [isCovered, setCovered] = useState(false)
  useLayoutEffect(() => {
    if (!opened) return
    cover(true)
    return () => cover(false)
  }, [opened, cover])
  return { isCovered, setCovered }
}

/** A dialog in the middle of the page. When it closes, the focus is where it was. */
export function Dialog({ closeOnEscape = true, ...props }: ModalProps) {
  useReturnFocus(props.opened)
  const { isCovered, setCovered } = useLayers(props.opened)
  const { title, children } = useLastOpened(props)
  return (
    <Modal
      attributes={attributes}
      {...props}
      closeOnEscape={closeOnEscape && !isCovered}
      title={title}
      returnFocus={false}
    >
      <Below value={setCovered}>
        <BeginsAtField>{children}</BeginsAtField>
      </Below>
    </Modal>
  )
}

/** A dialog along an edge of the page. When it closes, the focus is where it was. */
export function Drawer(props: DrawerProps) {
  useReturnFocus(props.opened)
  const { isCovered, setCovered } = useLayers(props.opened)
  const { title, children } = useLastOpened(props)
  return (
    <MantineDrawer attributes={attributes} {...props} closeOnEscape={!isCovered} title={title} returnFocus={false}>
      <Below value={setCovered}>
        <BeginsAtField>{children}</BeginsAtField>
      </Below>
    </MantineDrawer>
  )
}

/** While it fades away it says what it said: what it asked about is gone by then, and it would ask about nobody for a moment. */
function useLastOpened({ opened, title, children }: Pick<ModalProps, 'opened' | 'title' | 'children'>) {
  const last = useRef({ title, children })
  if (opened) last.current = { title, children }
  return last.current
}

/**
 * Whoever opens a dialog can type at once. Mantine begins at what is marked with `data-autofocus`; without that at the cross
 * which closes the dialog, where the first space of a name would close it. What is marked may also come later, with an answer of the server.
 */
function BeginsAtField({ children }: { children: ReactNode }) {
  const end = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => {
    const body = end.current?.parentElement
    if (!body || body.querySelector(marked)) return
    const first = body.querySelector(field)
    if (first) return first.setAttribute('data-autofocus', 'true')
    const observer = new MutationObserver(() => {
      const late = body.querySelector<HTMLElement>(marked)
      if (!late) return
      observer.disconnect()
      // Whoever is at something else of the dialog by now stays there.
      if (!body.contains(document.activeElement)) late.focus()
    })
    observer.observe(body, { childList: true, subtree: true })
    return () => observer.disconnect()
  }, [])
  return (
    <>
      {children}
      <span ref={end} hidden />
    </>
  )
}
