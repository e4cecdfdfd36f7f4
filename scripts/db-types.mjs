import { join } from 'node:path'
import { collect, ensureInstalled, pinnedEnvironment, pinnedNode, root } from './install.mjs'
import { conclude } from './say.mjs'

await conclude(async () => {
  await ensureInstalled({ tests: true })
  console.log(await collect(pinnedNode(), [join(root, 'scripts', 'database-types.ts')], { env: pinnedEnvironment() }))
})
