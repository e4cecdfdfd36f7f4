import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { GroupCommit } from './group-commit.ts'

describe('a group commit', () => {
  test.each([1, 2])(
    'with %i lanes writes everything once, never more at a time, and answers each in its place',
    async (lanes) => {
      const batches: number[][] = []
      let writing = 0
      const group = new GroupCommit<number, number>(
        async (items) => {
          expect(++writing).toBeLessThanOrEqual(lanes)
          await new Promise((resolve) => setImmediate(resolve))
          writing--
          batches.push(items)
          return items.map((item) => item * 2)
        },
        { limit: 10, lanes, gatherMs: 1 },
      )
      // Each asks again as soon as it has its answer. At that moment a lane may be closing.
      const ask = async (start: number) => {
        for (let i = start; i < start + 20; i++) expect(await group.add(i)).toBe(i * 2)
      }
      await Promise.all(Array.from({ length: 50 }, (_, i) => ask(i * 100)))
      await group.flush()
      expect(batches.flat()).toHaveLength(1_000)
      expect(Math.max(...batches.map(({ length }) => length))).toBeLessThanOrEqual(10)
      expect(writing).toBe(0)
    },
  )

  test('under load, waits for more rather than write a few', async () => {
    const sizes: number[] = []
    const group = new GroupCommit<number>(
      async (items) => {
        sizes.push(items.length)
        return items.map(() => undefined)
      },
      { gatherMs: 1 },
    )
    // By the clock of the test: a slow machine would end the wait before the others come.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    await Promise.all(Array.from({ length: 64 }, (_, i) => group.add(i)))
    const few = group.add(1)
    await new Promise((resolve) => setImmediate(resolve))
    await Promise.all([few, ...Array.from({ length: 63 }, (_, i) => group.add(i))])
    const alone = group.add(1)
    await vi.advanceTimersByTimeAsync(1)
    await alone
    await group.add(1)
    expect(sizes).toEqual([64, 64, 1, 1])
  })

  test('rejects every item of a write that failed, and goes on', async () => {
    let fails = true
    const group = new GroupCommit<number>(async (items) => {
      if (fails) throw new Error('away')
      return items.map(() => undefined)
    })
    await expect(Promise.allSettled([group.add(1), group.add(2)])).resolves.toMatchObject([
      { status: 'rejected' },
      { status: 'rejected' },
    ])
    fails = false
    await expect(group.add(3)).resolves.toBeUndefined()
  })
})
