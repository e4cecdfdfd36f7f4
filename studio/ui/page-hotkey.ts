import { useHotkeys } from '@mantine/hooks'

/** A key of a page. While a dialog or a menu is open, what is typed is meant for that. */
export function usePageHotkey(key: string, run: () => void): void {
  useHotkeys([[key, () => document.querySelector('[role="dialog"], [role="menu"]') ?? run()]])
}
