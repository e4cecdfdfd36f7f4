import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { ensureBuilt } from './build.mjs'
import { ensureInstalled, pinnedEnvironment, pinnedNode, root } from './install.mjs'
import { conclude } from './say.mjs'

/**
 * Runs the server on PORT, and builds and restarts it when its source changes. Vite serves the owner app on its own port
 * and passes other requests to the server.
 */
await conclude(async () => {
  await ensureInstalled()
  await ensureBuilt()
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  const parts = [
    run(vite, 'build', '--watch', '--logLevel', 'warn', '--config', 'vite.server.config.ts'),
    run('--watch', '--watch-preserve-output', join(root, 'dist', 'server', 'cli.js'), 'start'),
    run(vite, '--config', 'vite.config.ts'),
  ]
  const endAll = () => parts.map((part) => part.kill('SIGTERM'))
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, endAll)
  await Promise.race(parts.map((part) => new Promise((resolve) => part.on('exit', resolve))))
  endAll()
})

function run(...args) {
  return spawn(pinnedNode(), args, { cwd: root, env: pinnedEnvironment(), stdio: 'inherit' })
}
