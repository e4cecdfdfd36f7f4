import { expect, test } from 'vitest'
import { Sealer } from './sealing.ts'

const sealer = new Sealer('a secret of at least thirty-two characters')

test('a sealed text opens again, and is different each time it is sealed', () => {
  const sealed = sealer.seal('relay', 'mot de passe « à la criée »')
  expect(sealer.open('relay', sealed)).toBe('mot de passe « à la criée »')
  expect(sealer.seal('relay', 'mot de passe « à la criée »').equals(sealed)).toBe(false)
  expect(sealed.toString('utf8')).not.toContain('mot de passe')
})

test('another purpose, another secret or a changed byte opens nothing', () => {
  const sealed = sealer.seal('relay', 'secret')
  expect(() => sealer.open('dkim', sealed)).toThrow()
  expect(() => new Sealer('another secret of thirty-two characters..').open('relay', sealed)).toThrow()
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed)
    changed[at] = (changed[at] as number) ^ 1
    expect(() => sealer.open('relay', changed)).toThrow()
  }
  expect(() => sealer.open('relay', Buffer.alloc(5))).toThrow()
})
