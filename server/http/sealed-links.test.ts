import { expect, test } from 'vitest'
import { z } from 'zod'
import { SealedLinks } from './sealed-links.ts'
import { Sealer } from './sealing.ts'

const sealer = new Sealer('a secret of at least thirty-two characters')
const says = z.object({ newsletterId: z.string(), email: z.string() })
const kind = { purpose: 'walk', says, validMs: 1_000, longest: 300 }
const links = new SealedLinks(sealer, kind)
const link = { newsletterId: 'AmXcse4PYN', email: 'ada@example.org' }
const now = new Date(1_795_000_000_000)
const later = (ms: number) => new Date(now.getTime() + ms)

test('a link says what was put into it for as long as it is valid, and no longer', () => {
  const token = links.make(link, now)
  expect(links.read(token, later(1_000))).toEqual({ ...link, madeAt: now })
  expect(links.read(token, later(1_001))).toBe(null)
})

test('a token has no names of fields, and a mail from when it had still works', () => {
  const named = sealer.seal('walk', JSON.stringify({ ...link, at: now.getTime() })).toString('base64url')
  expect(links.read(named, now)).toEqual({ ...link, madeAt: now })
  expect(links.make(link, now).length).toBeLessThanOrEqual(named.length - 32)
})

test('a link of another kind, a changed one, one that lacks something and what is too long open nothing', () => {
  const token = links.make(link, now)
  const other = new SealedLinks(sealer, { ...kind, purpose: 'gift' })
  const more = new SealedLinks(sealer, { ...kind, says: says.extend({ language: z.enum(['en', 'fr']) }) })
  expect([other.read(token, now), more.read(token, now)]).toEqual([null, null])
  for (const wrong of ['', 'x', token.slice(2), `${token.slice(0, -2)}AA`, token.padEnd(301, 'A')])
    expect(links.read(wrong, now)).toBe(null)
})
