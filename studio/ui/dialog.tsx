import { type DrawerProps, Drawer as MantineDrawer, Modal, type ModalProps } from '@mantine/core'
import { useReturnFocus } from './return-focus.ts'

/** A dialog in the middle of the page. When it closes, the focus is where it was. */
export function Dialog(props: ModalProps) {
  useReturnFocus(props.opened)
  return <Modal {...props} returnFocus={false} />
}

/** A dialog along an edge of the page. When it closes, the focus is where it was. */
export function Drawer(props: DrawerProps) {
  useReturnFocus(props.opened)
  return <MantineDrawer {...props} returnFocus={false} />
}
