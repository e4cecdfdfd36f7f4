import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { translator } from '../translator.ts'
import { Sentence } from './sentence.tsx'

test.each([
  ['fr', 'Le Fournil', 'La prochaine lettre du <i>Fournil</i> arrivera à l’adresse <b>a@example.org</b>.'],
  ['fr', 'Les Nouvelles', 'La prochaine lettre des <i>Nouvelles</i> arrivera à l’adresse <b>a@example.org</b>.'],
  ['fr', 'Armor', 'La prochaine lettre d’<i>Armor</i> arrivera à l’adresse <b>a@example.org</b>.'],
  ['fr', 'Marée', 'La prochaine lettre de <i>Marée</i> arrivera à l’adresse <b>a@example.org</b>.'],
  ['fr', 'a', 'La prochaine lettre d’<i>a</i> arrivera à l’adresse <b>a@example.org</b>.'],
  ['en', 'Le Fournil', '<i>Le Fournil</i>'],
] as const)('in %s, %s stands in a sentence as its language joins it', (language, newsletter, found) => {
  const t = translator(language)
  const words = (values: { address: string; newsletter: string }) => t('subscribers.page.confirmed.text', values)
  expect(renderToStaticMarkup(<Sentence {...{ words, newsletter, address: 'a@example.org' }} />)).toContain(found)
})
