import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../root.ts'

const folder = join(projectRoot, 'server', 'page')

interface FontCut {
  family: string
  weight: string
  italic?: true
}

/**
 * Each cut has two files. A browser fetches the one of rare characters only for a page that has one of them. Keep in step with `ORDINARY` in
 * `scripts/subset-fonts.py`.
 */
const ordinary =
  'U+20-7E,U+A0,U+A3,U+AB,U+B0,U+B7,U+BB,U+C0,U+C2,U+C6-CB,U+CE-CF,U+D4,U+D7,U+D9,U+DB-DC,U+E0,U+E2,U+E6-EB,U+EE-EF,U+F4,U+F9,U+FB-FC,U+FF,U+152-153,U+178,U+2009,U+2010-2011,U+2013-2014,U+2018-2019,U+201C-201D,U+2022,U+2026,U+202F,U+20AC,U+2116,U+2190,U+2192'
const rare =
  'U+A1-A2,U+A4-AA,U+AC-AF,U+B1-B6,U+B8-BA,U+BC-BF,U+C1,U+C3-C5,U+CC-CD,U+D0-D3,U+D5-D6,U+D8,U+DA,U+DD-DF,U+E1,U+E3-E5,U+EC-ED,U+F0-F3,U+F5-F8,U+FA,U+FD-FE,U+131,U+2BC,U+2C6,U+2DA,U+2DC,U+2002-2003,U+2012,U+201A,U+201E,U+2020-2021,U+2030,U+2032-2033,U+2039-203A,U+2044,U+2122,U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD'

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
  const name = file.slice(0, file.indexOf('.'))
  const cut = cuts[name.replace(/-rare$/, '')]
  if (!cut) throw new Error(`${file} in server/page/fonts is a font that no page knows`)
  const face = (characters: string) =>
    `@font-face{font-family:"${cut.family}";src:url(${assetPath}/${file}) format("woff2");font-weight:${cut.weight};font-style:${cut.italic ? 'italic' : 'normal'};font-display:swap;unicode-range:${characters}}`
  if (name.endsWith('-rare')) return face(rare)
  // Radio Canada pulls letters over a no-break space (“2 Jan” reads “2Jan”), which a face of its own keeps from them.
  return name === 'radio-canada' ? face(ordinary) + face('U+A0') : face(ordinary)
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
