import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../root.ts'

const folder = join(projectRoot, 'dist', 'studio', 'static')

/** The address of a built script for public pages, by its name before the content's hash; null when nothing is built. */
export function scriptAddress(name: string): string | null {
  const file = existsSync(folder) ? readdirSync(folder).find((each) => isBuild(each, name)) : undefined
  return file ? `/static/${file}` : null
}

const isBuild = (file: string, name: string): boolean => file.startsWith(`${name}-`) && file.endsWith('.js')
