import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { pinnedNode, root } from './install.mjs'

const program = join(root, 'dist', 'server', 'cli.js')

/** Runs `dist/server/cli.js` on the pinned Node: in this process when it already is that Node, else in one below it. */
export async function runServer(args) {
  process.env.NODE_ENV ??= 'production'
  if (pinnedNode() !== process.execPath) return below(args)
  process.argv.splice(1, process.argv.length, program, ...args)
  await import(pathToFileURL(program).href)
}

/** The channel between the two breaks when this process dies, however it dies; the one below takes that as its end. */
function below(args) {
  const child = spawn(pinnedNode(), [program, ...args], { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  const parent = process.ppid
  // npm that was killed passes no signal on.
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
