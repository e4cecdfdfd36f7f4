import { type NotificationData, notifications, notificationsStore } from '@mantine/notifications'

/** Shows a notice that stays until it is closed or its page is left: it leads on from that page, and would cover the next one. */
export const showOnPage = (page: string, notice: NotificationData): string =>
  notifications.show({ autoClose: false, ...notice, 'data-page': page })

/** Closes the notices of every other page. */
export function closeElsewhere(page: string): void {
  for (const { id, 'data-page': of } of notificationsStore.getState().notifications) {
    if (id && of !== undefined && of !== page) notifications.hide(id)
  }
}
