import { describe, expect, test } from 'vitest'
import type { Click } from './click.ts'
import { ClickLog } from './click-log.ts'

const click = (shortLinkId: string): Click => ({
  newsletterId: 'n',
  shortLinkId,
  publicationId: null,
  subscriberId: null,
  at: 0,
  excludedBy: null,
  agent: '',
  signs: 0,
  referrer: null,
  country: null,
  device: 'phone',
})

const silent = { warn: () => {}, error: () => {} }

/** A table that can be made unavailable. */
function table() {
  const stored: string[] = []
  const state = { away: false as false | Error, batches: 0, stored }
  const insert = async (clicks: Click[]) => {
    await new Promise((resolve) => setImmediate(resolve))
    if (state.away) throw state.away
    state.batches++
    stored.push(...clicks.map(({ shortLinkId }) => shortLinkId))
  }
  return { state, insert }
}

describe('the click log', () => {
  test('resolves once a click is stored, and stores many together', async () => {
    const { state, insert } = table()
    const clicks = new ClickLog({ insert, log: silent })
    await Promise.all(
      Array.from({ length: 200 }, async (_, i) => {
        await clicks.add(click(String(i)))
        expect(state.stored).toContain(String(i))
      }),
    )
    expect(state.stored).toHaveLength(200)
    expect(state.batches).toBeLessThan(5)
  })

  test('answers while the database is away, and stores every click once it is back', async () => {
    const { state, insert } = table()
    const clicks = new ClickLog({ insert, log: silent })
    state.away = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
    for (let i = 0; i < 30; i++) await clicks.add(click(String(i)))
    expect(clicks.waiting).toBe(30)
    state.away = false
    await expect.poll(() => state.stored.length, { timeout: 5_000 }).toBe(30)
    await clicks.add(click('after'))
    expect(new Set(state.stored).size).toBe(31)
    expect(clicks.dropped).toBe(0)
  })

  test('keeps no more than its limit, and counts what it drops', async () => {
    const { state, insert } = table()
    const clicks = new ClickLog({ insert, log: silent, spoolLimit: 10 })
    state.away = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
    for (let i = 0; i < 25; i++) await clicks.add(click(String(i)))
    expect(clicks.waiting).toBe(10)
    expect(clicks.dropped).toBe(15)
    state.away = false
    await clicks.stop()
    expect(state.stored.toSorted()).toEqual(Array.from({ length: 10 }, (_, i) => String(i + 15)))
  })

  test('a click that the database will never accept does not block those that follow', async () => {
    const { state, insert } = table()
    const clicks = new ClickLog({ insert, log: silent })
    state.away = Object.assign(new Error('bad value'), { code: '22P02' })
    await clicks.add(click('bad'))
    state.away = false
    await clicks.add(click('good'))
    expect(state.stored).toEqual(['good'])
    expect(clicks.dropped).toBe(1)
  })

  test('a visitor waits two seconds for a database that hangs, not longer', async () => {
    const hanging = Promise.withResolvers<void>()
    const clicks = new ClickLog({ insert: () => hanging.promise, log: silent })
    const began = performance.now()
    await clicks.add(click('a'))
    expect(performance.now() - began).toBeLessThan(4_000)
    await clicks.add(click('b'))
    expect(clicks.waiting).toBe(1)
    hanging.resolve()
    await expect.poll(() => clicks.waiting).toBe(0)
  })
})
