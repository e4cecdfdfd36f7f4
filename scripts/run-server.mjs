import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { pinnedNode, root } from './install.mjs'

const program = join(root, 'dist', 'server', 'cli.js')

/** Runs `dist/server/cli.js` on the pinned Node: in this process if it runs on it, else in a child process. */
export async function runServer(args) {
  process.env.NODE_ENV ??= 'production'
  if (pinnedNode() !== process.execPath) return runInChild(args)
  process.argv.splice(1, process.argv.length, program, ...args)
  await import(pathToFileURL(program).href)
}

/** The IPC channel closes however this process dies, and the child stops when it is closed. */
function runInChild(args) {
  const child = spawn(pinnedNode(), [program, ...args], { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  const parent = process.ppid
  // When npm is killed, it passes no signal on.
  setInterval(() => process.ppid !== parent && child.connected && child.disconnect(), 200).unref()
  return new Promise((resolve) => {
    child.on('error', ({ message }) => {
      console.error(message)
      process.exitCode = 1
      resolve()
    })
    child.on('exit', (code) => {
      process.exitCode = code ?? 1
      resolve()
      process.exit()
    })
  })
}
