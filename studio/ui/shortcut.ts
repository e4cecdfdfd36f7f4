const isMac = /Mac|iP(hone|ad|od)/.test(navigator.platform)

/** A shortcut as this device's keyboard shows it: `⌘⇧S` or `Ctrl+Shift+S`. */
export function shortcutLabel(shortcut: string): string {
  const keys = shortcut.split(/-(?!$)/).map((key) => (key.length === 1 ? key.toUpperCase() : key))
  const names: Record<string, string> = isMac
    ? { Mod: '⌘', Shift: '⇧', Alt: '⌥' }
    : { Mod: 'Ctrl', Shift: 'Shift', Alt: 'Alt' }
  return keys.map((key) => names[key] ?? key).join(isMac ? '' : '+')
}

/** The same for the attribute `aria-keyshortcuts`: `Control+Shift+S`. */
export const ariaShortcut = (shortcut: string): string =>
  shortcut
    .split(/-(?!$)/)
    .map((key) => (key === 'Mod' ? (isMac ? 'Meta' : 'Control') : key.length === 1 ? key.toUpperCase() : key))
    .join('+')
