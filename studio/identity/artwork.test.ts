import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { languages } from '../../server/languages.ts'
import { translator } from '../../server/translator.ts'

const cuts = readFileSync(join(import.meta.dirname, '..', '..', 'scripts', 'subset-fonts.py'), 'utf8')
const letters = new Set(/^SHEET = "(.+)"$/m.exec(cuts)?.[1])

// One that is missing has a browser fetch the whole face, 132 kB, for a decoration.
test.each(languages)(
  'the cut for the sheet beside the sign-in forms has the letters of its titles, in %s',
  (language) => {
    const t = translator(language)
    const titles = (['newsletter', 'wind', 'metres', 'sand'] as const).map((name) => t(`identity.sheetTitles.${name}`))
    expect([...titles.join('')].filter((letter) => !letters.has(letter))).toEqual([])
  },
)
