import { expect, test } from 'vitest'
import { initialOf } from './initial.ts'

test.each([
  ['Les Marées', 'M'],
  ['Le Quart d’heure', 'Q'],
  ['L’Écluse', 'É'],
  ['The Tide', 'T'],
  ['Lemonade', 'L'],
  ['Theatre', 'T'],
  ['Lagon', 'L'],
  ['« 7 jours »', '7'],
  ['…', 'T'],
])('the initial of “%s” is %s', (name, initial) => {
  expect(initialOf(name)).toBe(initial)
})
