import { expect, test } from 'vitest'
import { UPLOADS_AT_ONCE } from './upload-limits.ts'
import { UploadPlaces } from './upload-places.ts'

/** How many of so many uploads find a place, each of the newsletter and person that `who` says. */
function takeMany(places: UploadPlaces, who: (n: number) => [newsletterId: string, personId: string], isProven = true) {
  const releases: (() => void)[] = []
  for (let n = 0; n < 40; n += 1) {
    const [newsletterId, personId] = who(n)
    try {
      releases.push(places.take({ newsletterId, personId, isProven }))
    } catch {
      // It is asked to come again.
    }
  }
  return releases
}

test('the places of a process, a newsletter, a person, and of all who proved no address are bounded', () => {
  expect(takeMany(new UploadPlaces(), (n) => [`n${n}`, `p${n}`])).toHaveLength(UPLOADS_AT_ONCE.process)
  expect(takeMany(new UploadPlaces(), (n) => ['n', `p${n}`])).toHaveLength(UPLOADS_AT_ONCE.newsletter)
  expect(takeMany(new UploadPlaces(), (n) => [`n${n}`, 'p'])).toHaveLength(UPLOADS_AT_ONCE.person)
  const places = new UploadPlaces()
  expect(takeMany(places, (n) => [`n${n}`, `p${n}`], false)).toHaveLength(UPLOADS_AT_ONCE.unproven)
  // However many guests upload, an owner finds a place.
  expect(takeMany(places, () => ['own', 'owner'])).toHaveLength(UPLOADS_AT_ONCE.newsletter)
})

test('a place that is given back is free again, and a refusal takes none', () => {
  const places = new UploadPlaces()
  for (const release of takeMany(places, () => ['n', 'p'])) release()
  expect(takeMany(places, () => ['n', 'p'])).toHaveLength(UPLOADS_AT_ONCE.newsletter)
  expect(() => places.take({ newsletterId: 'n', personId: 'q', isProven: true })).toThrow('too_many_requests')
})
