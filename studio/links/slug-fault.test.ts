import { expect, test } from 'vitest'
import { slugFault } from './slug-fault.ts'

test('a letter that no address has is named, with an address that would do', () => {
  expect(slugFault('marché')).toEqual({ letter: 'é', better: 'marche' })
  expect(slugFault('marche\u0301')).toEqual({ letter: 'é', better: 'marche' })
  expect(slugFault('Low tide!')).toEqual({ letter: ' ', better: 'Low-tide' })
  expect(slugFault('潮')).toEqual({ letter: '潮', better: null })
  for (const fine of ['', 'Low_tide-2']) expect(slugFault(fine)).toBe(null)
})
