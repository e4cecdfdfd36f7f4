import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalBytes, leafOf, personOf, type ReceiptFacts, startOfChain } from './leaf.ts'

/** Texts that could pass for the end of a field, and any other. */
const text = fc.oneof(
  fc.constantFrom('', '"', '","', '\\', '\\"', 'null', 'a', '\u2028', '\u00e9', 'e\u0301'),
  fc.string({ unit: 'binary' }),
)
const nullable = fc.option(text)
const receipts: fc.Arbitrary<ReceiptFacts> = fc.record({
  newsletter: text,
  receipt: text,
  person: text,
  act: text,
  purpose: text,
  beneficiaryId: text,
  beneficiary: nullable,
  words: text,
  wordsVersion: text,
  language: text,
  means: text,
  proof: nullable,
  network: nullable,
  at: text,
})

test('the bytes of a receipt are those of no other', () => {
  fc.assert(
    fc.property(receipts, receipts, (one, other) => {
      expect(canonicalBytes(one).equals(canonicalBytes(other))).toBe(JSON.stringify(one) === JSON.stringify(other))
      // The order in which an object has its fields says nothing.
      expect(canonicalBytes(Object.fromEntries(Object.entries(one).toReversed()) as unknown as ReceiptFacts)).toEqual(
        canonicalBytes(one),
      )
    }),
  )
})

test('a receipt with one other field has other bytes, also when text moves into the field beside it', () => {
  fc.assert(
    fc.property(receipts, fc.constantFrom(...keys), nullable, (receipt, field, value) => {
      const other = { ...receipt, [field]: value ?? '' }
      expect(canonicalBytes(other).equals(canonicalBytes(receipt))).toBe(receipt[field] === (value ?? ''))
    }),
  )
  fc.assert(
    fc.property(receipts, fc.nat({ max: keys.length - 2 }), (receipt, at) => {
      const [left, right] = [keys[at] ?? 'act', keys[at + 1] ?? 'act']
      const moved = { ...receipt, [left]: `${receipt[left] ?? ''}${receipt[right] ?? ''}`, [right]: '' }
      const same = moved[left] === receipt[left] && moved[right] === receipt[right]
      expect(canonicalBytes(moved).equals(canonicalBytes(receipt))).toBe(same)
    }),
  )
})

const keys = [
  'newsletter',
  'receipt',
  'person',
  'act',
  'purpose',
  'beneficiaryId',
  'beneficiary',
  'words',
  'wordsVersion',
  'language',
  'means',
  'proof',
  'network',
  'at',
] as const satisfies readonly (keyof ReceiptFacts)[]

const known: ReceiptFacts = {
  newsletter: 'n1',
  receipt: '0192c0de-0000-7000-8000-000000000000',
  person: personOf(Buffer.alloc(16), '0192c0de-0000-7000-8000-000000000001'),
  act: 'given',
  purpose: 'newsletter',
  beneficiaryId: 'n1',
  beneficiary: 'Low Water',
  words: 'Oui, je veux “ça”.\n\u2028',
  wordsVersion: '2026-11',
  language: 'fr',
  means: 'page',
  proof: null,
  network: '192.0.2.0/24',
  at: '2026-11-22T09:15:00.123456Z',
}

test('the format never changes: a receipt that was written down keeps its hash', () => {
  expect(canonicalBytes(known).toString()).toMatchInlineSnapshot(
    `"["tirage receipt 1","n1","0192c0de-0000-7000-8000-000000000000","b0320383af4152a9abe03eb466afa373c51dc7d71fe754da9ef804dc1ab341a6","given","newsletter","n1","Low Water","Oui, je veux “ça”.\\n ","2026-11","fr","page",null,"192.0.2.0/24","2026-11-22T09:15:00.123456Z"]"`,
  )
  expect(leafOf(Buffer.alloc(16), known).toString('hex')).toMatchInlineSnapshot(
    `"aec285bb37599b0e10d17dbb173b733f92ca8e424cf2988e7e9b9af3a5714303"`,
  )
  expect(startOfChain('n1').toString('hex')).toMatchInlineSnapshot(
    `"b7485ab96f16dac12a6666ae489821a8157e9908b5a5d7a303a9bc4ebb256f7d"`,
  )
})
