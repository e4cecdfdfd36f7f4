import { spawn } from 'node:child_process'
import { ensureBuilt } from './build.mjs'
import { ensureInstalled, pinnedEnvironment, pinnedNode, root } from './install.mjs'
import { conclude } from './say.mjs'

/** `node scripts/run.mjs bench/run.ts delivery`: runs a program that needs the built server, on the pinned Node. */
const [program, ...args] = process.argv.slice(2)

await conclude(async () => {
  await ensureInstalled({ tests: true })
  await ensureBuilt()
  const child = spawn(pinnedNode(), [program, ...args], { cwd: root, env: pinnedEnvironment(), stdio: 'inherit' })
  process.exitCode = await new Promise((resolve) => child.on('exit', (code) => resolve(code ?? 1)))
})
