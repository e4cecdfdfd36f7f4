import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { collect, pinnedEnvironment, pinnedNode, root } from './install.mjs'

const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** Finds a browser for the browser tests (CHROMIUM_PATH, PATH), or installs Playwright's or, as root, the Debian package. */
export async function ensureChromium() {
  if (process.env.CHROMIUM_PATH || onPath()) return
  const playwright = join(root, 'node_modules', 'playwright-core', 'cli.js')
  const install = [playwright, 'install', 'chromium', '--only-shell', '--with-deps']
  const args = process.getuid?.() === 0 ? install : install.slice(0, -1)
  await collect(pinnedNode(), args, { env: pinnedEnvironment() }).catch(async (reason) => {
    if (process.getuid?.() !== 0) throw reason
    await collect('apt-get', ['update', '-qq'])
    await collect('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium-headless-shell'])
  })
}

function onPath() {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).some(isExecutable)
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
