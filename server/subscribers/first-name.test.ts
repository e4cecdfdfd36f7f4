import { expect, test } from 'vitest'
import { firstName } from './first-name.ts'

test.each([
  ['Ada', 'Ada'],
  ['Ada Lovelace', 'Ada'],
  ['  Jean-Marc\u00a0Le Goff ', 'Jean-Marc'],
  ['Lovelace, Ada', 'Ada'],
  ['Le Goff, Jean-Marc', 'Jean-Marc'],
  ['Lovelace,Ada Augusta', 'Ada'],
  ['Ada Lovelace, PhD', 'Ada'],
  ['Lovelace, Ph.D., Ada', 'Ada'],
  ['Martin Luther King, Jr.', 'Martin'],
  ['Ada,', 'Ada'],
  [', Ada', 'Ada'],
  [' , ', null],
  ['', null],
])('the first name of “%s” is %s', (name, first) => expect(firstName(name)).toBe(first))
