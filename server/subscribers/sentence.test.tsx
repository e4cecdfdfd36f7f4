import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { translator } from '../translator.ts'
import { Sentence } from './sentence.tsx'

test.each([
  ['fr', 'Le Fournil', 'Désormais, les lettres du <i>Fournil</i> arrivent à l’adresse <b>a@example.org</b>.'],
  ['fr', 'Les Nouvelles', 'Désormais, les lettres des <i>Nouvelles</i> arrivent à l’adresse <b>a@example.org</b>.'],
  ['fr', 'Armor', 'Désormais, les lettres d’<i>Armor</i> arrivent à l’adresse <b>a@example.org</b>.'],
  ['fr', 'Marée', 'Désormais, les lettres de <i>Marée</i> arrivent à l’adresse <b>a@example.org</b>.'],
  ['fr', 'a', 'Désormais, les lettres d’<i>a</i> arrivent à l’adresse <b>a@example.org</b>.'],
  ['fr', 'Le Fil, et le jour !', 'les lettres du <i>Fil, et le jour\u202f!</i> arrivent'],
  ['fr', 'Avis : « mer »', 'les lettres d’<i>Avis\u00a0: «\u00a0mer\u00a0»</i> arrivent'],
  ['en', 'Le Fournil', '<i>Le Fournil</i>'],
] as const)('in %s, %s stands in a sentence as its language joins it', (language, newsletter, found) => {
  const t = translator(language)
  const words = (values: { address: string; newsletter: string }) => t('subscribers.page.confirmed.text', values)
  expect(renderToStaticMarkup(<Sentence {...{ words, newsletter, address: 'a@example.org' }} />)).toContain(found)
})

test('behind a name that ends with a mark stands no full stop', () => {
  const words = (values: { address: string; newsletter: string }) =>
    translator('fr')('subscribers.page.leave.text', values)
  const page = renderToStaticMarkup(<Sentence {...{ words, newsletter: 'Le Jour !', address: 'a@example.org' }} />)
  expect(page).toContain('<i>Le Jour\u202f!</i> C’est immédiat.')
})

test.each([
  ['aline@example.org', 'L’abonnement d’<b>aline@example.org</b> à <i>Marée</i>'],
  ['e…\u2060e@example.org', 'L’abonnement d’<b>e…\u2060e@example.org</b>'],
  ['brice@example.org', 'L’abonnement de <b>brice@example.org</b> à <i>Marée</i>'],
  ['+a@example.org', 'L’abonnement de <b>+a@example.org</b>'],
])('French joins its word to the address %s', (address, found) => {
  const words = (values: { address: string; newsletter: string }) => translator('fr')('own.status.active', values)
  expect(renderToStaticMarkup(<Sentence {...{ words, newsletter: 'Marée', address }} />)).toContain(found)
})
