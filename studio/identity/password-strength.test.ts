import { expect, test } from 'vitest'
import { strengthOf } from './password-strength.ts'

test.each([
  ['teasel lantern oat ferry', 'passphrase'],
  ['héron dune phare', 'strong'],
  ['phare phare phare dune', 'strong'],
  ['kV7hrtwuzd2x', 'strong'],
])('whoever types %s reads that it is %s: four words are advised to others alone', (password, word) => {
  expect(strengthOf(password, []).word).toBe(word)
})
