import type { Plugin } from 'vite'
import { findCycles } from './cycles.ts'

/**
 * Fails the build when files of the owner app import each other in a circle. One of them runs before what it needs is there, and the page stays
 * white; whether it does depends on which is asked for first, so a test may pass.
 */
export const noChunkCycles = (): Plugin => ({
  name: 'no-chunk-cycles',
  generateBundle(_options, bundle) {
    const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
    const [cycle] = findCycles(chunks.flatMap(({ fileName: from, imports }) => imports.map((to) => ({ from, to }))))
    if (cycle)
      this.error(
        `These files import each other: ${cycle.join(' → ')}. Load a part of them with import(), or change the groups in vite.config.ts.`,
      )
  },
})
