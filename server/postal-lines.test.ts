import { expect, test } from 'vitest'
import { postalLine, postalLines } from './postal-lines.ts'

test.each([
  ['Nora Bell\n4 Quay Street\nWhitby', ['Nora Bell', '4 Quay Street', 'Whitby'], 'Nora Bell, 4 Quay Street, Whitby'],
  [
    'Nora Bell,\r\n\r\n 4 Quay Street ,\r\nWhitby\n',
    ['Nora Bell,', '4 Quay Street ,', 'Whitby'],
    'Nora Bell, 4 Quay Street, Whitby',
  ],
  ['4 quai de la Criée, 29770 Audierne', ['4 quai de la Criée, 29770 Audierne'], '4 quai de la Criée, 29770 Audierne'],
])('the address %j keeps its lines, and has commas where it stands on one', (typed, lines, line) => {
  expect(postalLines(typed)).toEqual(lines)
  expect(postalLine(typed)).toBe(line)
})
