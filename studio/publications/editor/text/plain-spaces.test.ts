import { expect, test } from 'vitest'
import { plainSpaces } from './plain-spaces.ts'

test('the spaces that WebKit copies beside bold words and links are plain ones, and those that somebody wrote stay', () => {
  const space = '<span class="Apple-converted-space">&nbsp;</span>'
  expect(
    plainSpaces(`<p>avec${space}<b>du gras</b>,<span style="" class="Apple-converted-space">\u00a0</span>fin</p>`),
  ).toBe('<p>avec <b>du gras</b>, fin</p>')
  const written = '<p>Combien&nbsp;? <span class="other">&nbsp;</span></p>'
  expect(plainSpaces(written)).toBe(written)
})
