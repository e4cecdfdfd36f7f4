import { expect, test } from 'vitest'
import { translator } from '../server/translator.ts'

const nb = '\u00a0'

test.each([
  ['fr', `Pourquoi «${nb}l’eau${nb}» monte`, `«${nb}Pourquoi “l’eau” monte${nb}» retenu ici`],
  ['fr', 'Pourquoi « l’eau » monte', `«${nb}Pourquoi “l’eau” monte${nb}» retenu ici`],
  ['fr', 'Why “the water” rises', `«${nb}Why “the water” rises${nb}» retenu ici`],
  ['fr', 'Un » perdu', `«${nb}Un${nb}» perdu${nb}» retenu ici`],
  ['fr', 'Un « perdu', `«${nb}Un «${nb}perdu${nb}» retenu ici`],
  ['en', 'Why “the water” rises', '“Why ‘the water’ rises” was caught here'],
  ['en', `Pourquoi «${nb}l’eau${nb}» monte`, `“Pourquoi «${nb}l’eau${nb}» monte” was caught here`],
] as const)('a sentence in %s quotes %s with marks of two ranks', (language, title, sentence) => {
  expect(translator(language)('subscribers.detail.event.caught', { title })).toBe(sentence)
})

test('what is quoted beside another thing keeps the marks of the first rank', () => {
  const said = translator('en')('publications.problem.not_allowed_here', { type: 'a', parent: 'b' })
  expect(said).toBe('“a” cannot stand inside “b”.')
})
