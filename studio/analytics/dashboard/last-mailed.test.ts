import { expect, test } from 'vitest'
import { lastMailed } from './last-mailed.ts'

const sent = (
  accepted: number,
  caught: number,
  { channel = 'everywhere' as 'everywhere' | 'web', digest = null } = {},
) => ({
  ...{ channel, digest },
  counts: { accepted, caught },
})

test('what is on the web only is neither the last one mailed nor one of those that were caught', () => {
  const page = sent(0, 1, { channel: 'web' })
  const welcomed = sent(3, 0, { channel: 'web' })
  const caught = sent(0, 9)
  const mailed = sent(9, 0)
  expect(lastMailed([page, welcomed, caught, mailed, caught])).toEqual({ last: mailed, caught: 1 })
  expect(lastMailed([page, caught])).toEqual({ last: undefined, caught: 0 })
  expect(lastMailed([])).toEqual({ last: undefined, caught: 0 })
})
