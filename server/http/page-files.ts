import type { Language } from '../languages.ts'

/** The files that a browser needs for an address of the owner app besides those that every page of it has. */
export interface PageFiles {
  scripts: string[]
  styles: string[]
  sentences: Record<Language, string[]>
}
