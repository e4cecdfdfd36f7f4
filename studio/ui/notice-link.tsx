import { Anchor } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { ReactNode } from 'react'

interface Props {
  /** The id of the notice with the link, which closes when the link is followed. */
  notice: string
  to: string
  navigate: (to: string) => unknown
  children: ReactNode
}

/** A link in a notice. Notices are outside the router, so that they stay when the page changes. */
export function NoticeLink({ notice, to, navigate, children }: Props) {
  const follow = (event: React.MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    notifications.hide(notice)
    navigate(to)
  }
  return (
    <Anchor href={to} onClick={follow}>
      {children}
    </Anchor>
  )
}
