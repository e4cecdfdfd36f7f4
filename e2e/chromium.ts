import { accessSync, constants } from 'node:fs'
import { basename, delimiter, join } from 'node:path'
import type { LaunchOptions } from 'playwright-core'

/** Chromium without windows, as Playwright brings it: a tab takes a sixth less of the processor than in a whole one. */
const shell = 'chromium-headless-shell'
const names = [shell, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** How to launch the Chromium to use: CHROMIUM_PATH, else the first on PATH, else Playwright's own. */
export function chromiumLaunch(): LaunchOptions {
  const found = findChromium()
  if (!found) return { args }
  if (basename(found) === shell) return { executablePath: found, args }
  const executablePath = join(import.meta.dirname, 'chromium.sh')
  return { executablePath, env: { ...process.env, TESTED_CHROMIUM: found }, args: [...args, withoutPopups] }
}

function findChromium(): string | undefined {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH
  const folders = (process.env.PATH ?? '').split(delimiter)
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Chromium's sandbox does not work as root, which is usual in a container. */
const args = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-gpu',
  // It draws without a graphics card anyway, and needs no process for that.
  '--in-process-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
]

/**
 * A whole Chromium, unlike the headless one that Playwright brings, loads two pages of its own for each tab, for the list below its
 * address bar. They took half of the processor time of a new tab.
 */
const withoutPopups = '--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup'
