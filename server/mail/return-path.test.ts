import fc from 'fast-check'
import { expect, test } from 'vitest'
import { publicId, uuidv7 } from '../database/ids.ts'
import { Signer } from '../http/signing.ts'
import {
  type DeliveryKey,
  readReturnPath,
  readUnsubscribeMailbox,
  returnPath,
  unsubscribeMailbox,
} from './return-path.ts'

const config = { bounceDomain: 'bounces.example.org' }
const signer = new Signer('a secret of at least thirty-two characters')

const base58 = fc.string({
  unit: fc.constantFrom(...'123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'),
  minLength: 10,
  maxLength: 10,
})
const deliveries: fc.Arbitrary<DeliveryKey> = fc.record({
  newsletterId: base58,
  publicationId: base58,
  subscriberId: fc.uuid(),
})

const made = (delivery: DeliveryKey): string => returnPath(config, signer, delivery) as string

test('a return path names its delivery, in any case, and fits the local part of an address', () => {
  fc.assert(
    fc.property(deliveries, fc.infiniteStream(fc.boolean()), (delivery, upper) => {
      const address = made(delivery)
      const recased = [...address].map((sign) => (upper.next().value ? sign.toUpperCase() : sign)).join('')
      expect(address.indexOf('@')).toBeLessThanOrEqual(64)
      expect(address).toMatch(/^b-[a-z2-7]+@bounces\.example\.org$/)
      expect(readReturnPath(config, signer, address)).toEqual(delivery)
      expect(readReturnPath(config, signer, recased)).toEqual(delivery)
    }),
  )
})

test('an address with any changed character names nothing', () => {
  fc.assert(
    fc.property(
      deliveries,
      fc.nat(),
      fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz234567-@'),
      (delivery, at, sign) => {
        const address = made(delivery)
        const index = at % address.length
        fc.pre(address[index] !== sign)
        const changed = address.slice(0, index) + sign + address.slice(index + 1)
        expect(readReturnPath(config, signer, changed)).toBeNull()
      },
    ),
  )
})

test('any address can be read without an error', () => {
  fc.assert(
    fc.property(fc.uint16Array({ maxLength: 90 }), (units) => {
      const text = String.fromCharCode(...units)
      expect(readReturnPath(config, signer, text)).toBeNull()
      expect(readReturnPath(config, signer, `b-${text}@bounces.example.org`)).toBeNull()
    }),
  )
})

test('an unsubscribe address and one made with another secret are no return paths; without a domain there is none', () => {
  const delivery = { newsletterId: publicId(), publicationId: publicId(), subscriberId: uuidv7() }
  const leave = unsubscribeMailbox(config, signer, delivery) as string
  expect(readUnsubscribeMailbox(config, signer, leave)).toEqual(delivery)
  expect(readReturnPath(config, signer, leave)).toBeNull()
  expect(readReturnPath(config, signer, leave.replace('u-', 'b-'))).toBeNull()
  expect(readReturnPath(config, new Signer('another secret of thirty-two characters'), made(delivery))).toBeNull()
  expect(returnPath({ bounceDomain: null }, signer, delivery)).toBeNull()
  expect(readReturnPath({ bounceDomain: null }, signer, made(delivery))).toBeNull()
})
