import { ensureBuilt } from './build.mjs'
import { requireFreePort } from './free-port.mjs'
import { ensureInstalled } from './install.mjs'
import { runServer } from './run-server.mjs'
import { conclude } from './say.mjs'

await conclude(async () => {
  await requireFreePort()
  await ensureInstalled()
  await ensureBuilt()
  await runServer(['start'])
})
