import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../root.ts'

const folder = join(projectRoot, 'server', 'page')

interface FontCut {
  family: string
  weight: string
  italic?: true
}

/** Which cut of which family each file in `fonts/` is, by the part of its name before the content's hash. */
const cuts: Readonly<Record<string, FontCut>> = {
  newsreader: { family: 'Newsreader', weight: '400 600' },
  'newsreader-italic': { family: 'Newsreader', weight: '400 600', italic: true },
  'newsreader-display': { family: 'Newsreader Display', weight: '400 500' },
  'radio-canada': { family: 'Radio Canada', weight: '400 700' },
  'bricolage-grotesque': { family: 'Bricolage Grotesque', weight: '400 800' },
  fraunces: { family: 'Fraunces', weight: '400 600' },
  'geist-mono': { family: 'Geist Mono', weight: '400 700' },
}

/** Where browsers find what never changes. */
export const assetPath = '/assets/page'

export interface PageFiles {
  /** `@font-face` rules for every font. A browser loads only the fonts that a page uses. */
  fontRules: string
  /** Fonts by file name. */
  fonts: ReadonlyMap<string, Buffer>
}

function fontFace(file: string): string {
  const cut = cuts[file.slice(0, file.indexOf('.'))]
  if (!cut) throw new Error(`${file} in server/page/fonts is a font that no page knows`)
  return `@font-face{font-family:"${cut.family}";src:url(${assetPath}/${file}) format("woff2");font-weight:${cut.weight};font-style:${cut.italic ? 'italic' : 'normal'};font-display:swap}`
}

let files: PageFiles | undefined

/** The fonts on disk, read once. Throws when the program is installed without them. */
export function pageFiles(): PageFiles {
  files ??= readFiles()
  return files
}

function readFiles(): PageFiles {
  const names = readdirSync(join(folder, 'fonts')).filter((name) => name.endsWith('.woff2'))
  return {
    fontRules: names.map(fontFace).join(''),
    fonts: new Map(names.map((name) => [name, readFileSync(join(folder, 'fonts', name))])),
  }
}

/** The address of a font, for pages that want it early; null for a face that has no file. */
export function fontAddress(cut: string): string | null {
  const file = [...pageFiles().fonts.keys()].find((name) => name.slice(0, name.indexOf('.')) === cut)
  return file ? `${assetPath}/${file}` : null
}
