import { useHotkeys } from '@mantine/hooks'
import { useClient } from '../shell/client.tsx'

/** A key of a page, for whoever has not turned such keys off. While a dialog or a menu is open, what is typed is meant for that. */
export function usePageHotkey(key: string, run: () => void): void {
  const { singleKeys } = useClient().profile
  useHotkeys(singleKeys ? [[key, () => document.querySelector('[role="dialog"], [role="menu"]') ?? run()]] : [])
}
