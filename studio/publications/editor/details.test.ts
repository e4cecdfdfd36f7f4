import { expect, test } from 'vitest'
import { slugFrom } from './details.ts'

test.each([
  ['L’heure d’été', 'l-heure-d-ete'],
  ['  Cœur -- à cœur! ', 'coeur-a-coeur'],
  ['already-fine-2', 'already-fine-2'],
  ['مرفأ', ''],
  ['-', ''],
  [`${'a'.repeat(79)} b`, 'a'.repeat(79)],
])('%s becomes %s', (typed, slug) => expect(slugFrom(typed)).toBe(slug))
