import { expect, test } from 'vitest'
import { translator } from '../server/translator.ts'

test.each([
  ['Le Quart d’heure', 'Votre abonnement au Quart d’heure ne change pas, quelle que soit la réponse.'],
  ['Les Nouvelles (1.0)', 'Votre abonnement aux Nouvelles (1.0) ne change pas, quelle que soit la réponse.'],
  ['La Matinale', 'Votre abonnement à La Matinale ne change pas, quelle que soit la réponse.'],
  ['Lettres', 'Votre abonnement à Lettres ne change pas, quelle que soit la réponse.'],
])('in French, %s is joined to the word before it', (newsletter, sentence) => {
  expect(translator('fr')('optIn.unchanged', { newsletter })).toBe(sentence)
})

test.each([
  ['Armor', 'd’Armor'],
  ['Élan', 'd’Élan'],
  ['Le Phare', 'du Phare'],
  ['Phare', 'de Phare'],
])('and %s is %s behind *de*', (newsletter, written) => {
  const sentence = translator('fr')('subscribers.consent.leave', { newsletter })
  expect(sentence).toContain(written)
})

test('and so they are where a slot of one’s own and an invitation name the newsletter', () => {
  const newsletter = 'Le Fournil de Maëlle'
  expect(translator('fr')('document.ownNotice', { newsletter })).toBe('Du Fournil de Maëlle')
  expect(translator('fr')('identity.invitation.title', { newsletter })).toBe('Travailler au Fournil de Maëlle')
})

test('a name keeps its spaces in a sentence, in whatever language it is written', () => {
  const newsletter = 'Le Fil : celle d’hier, et celle du jour !'
  const held = 'Fil\u00a0: celle d’hier, et celle du jour\u202f!'
  expect(translator('fr')('subscribers.consent.leave', { newsletter })).toBe(`Me désabonner du ${held}`)
  expect(translator('en')('subscribers.consent.yes', { newsletter })).toContain(`Le ${held}`)
})

test.each([
  ['La Une !', 'Me désabonner de La Une\u202f!'],
  ['Marée etc.', 'Me désabonner de Marée etc.'],
  ['Le Fil…', 'Me désabonner du Fil…'],
])('behind %s, which has a mark of its own, stands no full stop', (newsletter, sentence) => {
  expect(translator('fr')('subscribers.consent.leave', { newsletter })).toBe(sentence)
})

test('English joins nothing', () => {
  expect(translator('en')('optIn.unchanged', { newsletter: 'Le Phare' })).toContain('to Le Phare')
})
