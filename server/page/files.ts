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
  /** The stylesheet of every public page, fonts included. A browser loads only the fonts a page uses. */
  css: string
  /** Fonts by file name. */
  fonts: ReadonlyMap<string, Buffer>
}

function fontFace(file: string): string {
  const cut = cuts[file.slice(0, file.indexOf('.'))]
  if (!cut) throw new Error(`${file} in server/page/fonts is a font that no page knows`)
  return `@font-face{font-family:"${cut.family}";src:url(${assetPath}/${file}) format("woff2");font-weight:${cut.weight};font-style:${cut.italic ? 'italic' : 'normal'};font-display:swap}`
}

const minified = (css: string): string =>
  css
    .replaceAll(/\/\*.*?\*\//gs, '')
    .replaceAll(/\s*\n\s*/g, '')
    .replaceAll(/\s*([{};,])\s*/g, '$1')
    .replaceAll(/:\s+/g, ':')
    .replaceAll(';}', '}')

let files: PageFiles | undefined

/** Style and fonts as they lie on disk, read once. Throws when the program is installed without them. */
export function pageFiles(): PageFiles {
  files ??= readFiles()
  return files
}

function readFiles(): PageFiles {
  const names = readdirSync(join(folder, 'fonts')).filter((name) => name.endsWith('.woff2'))
  return {
    css: names.map(fontFace).join('') + minified(readFileSync(join(folder, 'style.css'), 'utf8')),
    fonts: new Map(names.map((name) => [name, readFileSync(join(folder, 'fonts', name))])),
  }
}

/** The address of a font, for pages that want it early; null for a face that has no file. */
export function fontAddress(cut: string): string | null {
  const file = [...pageFiles().fonts.keys()].find((name) => name.slice(0, name.indexOf('.')) === cut)
  return file ? `${assetPath}/${file}` : null
}
