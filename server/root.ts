import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The folder of package.json. It is the same whether this runs from `server/` or from `dist/server/`. */
export const projectRoot = findRoot(import.meta.dirname)

function findRoot(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder
  const parent = dirname(folder)
  if (parent === folder) throw new Error('package.json is in none of the folders above the server')
  return findRoot(parent)
}
