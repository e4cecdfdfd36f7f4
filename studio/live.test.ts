import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { followNewsletter } from './live-newsletter.ts'
import type { Source } from './live-stream.ts'

/** A stream whose ends are both in the test. */
class FakeSource extends EventTarget implements Source {
  readyState = 0
  close() {
    this.readyState = 2
  }
  say(name: string, data = '') {
    this.dispatchEvent(new MessageEvent(name, { data }))
  }
  begin() {
    this.readyState = 1
    this.say('open')
  }
  /** `by itself`: the browser opens it again. */
  breakOff(then: 'by itself' | 'for good') {
    this.readyState = then === 'by itself' ? 0 : 2
    this.say('error')
  }
}

/** A newsletter’s figure on the server, a page that shows it, and answers that come when the test says. */
function startPage(kind = 'deliveries') {
  const queries = new QueryClient()
  const asked: { seen: number; answer: () => Promise<void>; fail: () => Promise<void> }[] = []
  const server = { figure: 0 }
  const shown = { figure: undefined as number | undefined }
  const observer = new QueryObserver(queries, {
    queryKey: kind === 'newsletters' ? ['newsletters'] : ['n1', kind, 'of a page'],
    queryFn: () =>
      new Promise<number>((resolve, reject) => {
        const seen = server.figure
        asked.push({
          seen,
          answer: async () => {
            resolve(seen)
            await vi.advanceTimersByTimeAsync(0)
          },
          fail: async () => {
            reject(new Error('the server failed'))
            await vi.advanceTimersByTimeAsync(0)
          },
        })
      }),
    staleTime: 15_000,
    retry: false,
  })
  const leave = observer.subscribe(({ data }) => {
    shown.figure = data
  })
  const sources: FakeSource[] = []
  const state = { open: false }
  const live = followNewsletter({
    newsletterId: 'n1',
    queries,
    open: () => {
      const made = new FakeSource()
      sources.push(made)
      return made
    },
    show: (isOpen) => {
      state.open = isOpen
    },
  })
  const last = <T>(list: T[]): T => {
    const found = list.at(-1)
    if (found === undefined) throw new Error('there is none yet')
    return found
  }
  return {
    asked,
    server,
    shown,
    state,
    sources,
    live,
    source: () => last(sources),
    answer: () => last(asked).answer(),
    fail: () => last(asked).fail(),
    /** The seconds pass, and the server says each second that it is there. */
    async pass(ms: number) {
      for (let passed = 0; passed < ms; passed += 500) {
        last(sources).say('beat')
        await vi.advanceTimersByTimeAsync(Math.min(500, ms - passed))
      }
    },
    end() {
      leave()
      live.stop()
      queries.clear()
    },
  }
}

let page: ReturnType<typeof startPage>
beforeEach(() => {
  vi.useFakeTimers()
  page = startPage()
})
afterEach(() => {
  page.end()
  vi.useRealTimers()
})

describe('what a page shows as live', () => {
  test('is asked for once more after the stream opened, when it was asked for before', async () => {
    expect(page.asked).toHaveLength(1)
    page.server.figure = 7
    page.source().begin()
    await page.answer()
    expect(page.asked).toHaveLength(2)
    await page.answer()
    expect(page.shown.figure).toBe(7)
  })

  test('is asked for again at every reopening', async () => {
    page.source().begin()
    await page.answer()
    await page.answer()
    page.source().breakOff('by itself')
    page.server.figure = 12
    page.source().begin()
    await page.answer()
    expect(page.shown.figure).toBe(12)
  })

  test('is asked for once more when it changed while its answer was under way, and that answer is not thrown away', async () => {
    page.source().begin()
    await page.answer()
    await page.answer()
    page.server.figure = 1
    page.source().say('changed', 'deliveries')
    await vi.advanceTimersByTimeAsync(500)
    const underWay = page.asked.length
    page.server.figure = 2
    page.source().say('changed', 'deliveries')
    await vi.advanceTimersByTimeAsync(500)
    expect(page.asked).toHaveLength(underWay)
    await page.answer()
    expect(page.shown.figure).toBe(1)
    await page.answer()
    expect(page.shown.figure).toBe(2)
    expect(page.asked).toHaveLength(underWay + 1)
  })

  test('is asked for at most twice a second, however often it changes', async () => {
    page.source().begin()
    await page.answer()
    await page.answer()
    const before = page.asked.length
    for (let change = 0; change < 100; change += 1) {
      page.source().say('changed', 'deliveries')
      await vi.advanceTimersByTimeAsync(20)
      await page.answer()
    }
    expect(page.asked.length - before).toBeLessThanOrEqual(4)
  })

  test('is not called so from two seconds after a change that it does not show yet', async () => {
    page.source().begin()
    await page.answer()
    await page.answer()
    page.server.figure = 1
    page.source().say('changed', 'deliveries')
    await page.pass(1_999)
    expect(page.state.open).toBe(true)
    await page.pass(1)
    expect(page.state.open).toBe(false)
    await page.answer()
    expect(page.shown.figure).toBe(1)
    expect(page.state.open).toBe(true)
  })

  test('is not called so from two seconds after a change either that came while an earlier answer was under way', async () => {
    page.source().begin()
    await page.answer()
    await page.answer()
    page.server.figure = 1
    page.source().say('changed', 'deliveries')
    await page.pass(500)
    page.server.figure = 2
    page.source().say('changed', 'deliveries')
    await page.pass(1_000)
    await page.answer()
    expect(page.shown.figure).toBe(1)
    await page.pass(999)
    expect(page.state.open).toBe(true)
    await page.pass(1)
    expect(page.state.open).toBe(false)
    await page.answer()
    expect(page.shown.figure).toBe(2)
    expect(page.state.open).toBe(true)
  })

  test('is not called so while its answer fails, which is tried again', async () => {
    page.source().begin()
    await page.answer()
    await page.answer()
    page.server.figure = 1
    page.source().say('changed', 'deliveries')
    await page.pass(500)
    await page.fail()
    expect(page.state.open).toBe(false)
    const before = page.asked.length
    await page.pass(5_000)
    expect(page.asked).toHaveLength(before + 1)
    await page.answer()
    expect(page.shown.figure).toBe(1)
    expect(page.state.open).toBe(true)
  })

  test('the number of subscribers in the side bar is part of it', async () => {
    page.end()
    page = startPage('newsletters')
    page.source().begin()
    await page.answer()
    await page.answer()
    page.server.figure = 3
    page.source().say('changed', 'subscribers')
    await vi.advanceTimersByTimeAsync(500)
    await page.answer()
    expect(page.shown.figure).toBe(3)
  })
})

describe('the stream', () => {
  test('is not live before it is open, nor while it is broken', () => {
    expect(page.state.open).toBe(false)
    page.source().begin()
    expect(page.state.open).toBe(true)
    page.source().breakOff('by itself')
    expect(page.state.open).toBe(false)
  })

  test('is opened again after a refusal, which a browser does not do, and more rarely each time', async () => {
    for (const wait of [2_000, 4_000, 8_000, 16_000, 30_000, 30_000]) {
      const before = page.sources.length
      page.source().breakOff('for good')
      await vi.advanceTimersByTimeAsync(wait - 1)
      expect(page.sources).toHaveLength(before)
      await vi.advanceTimersByTimeAsync(1)
      expect(page.sources).toHaveLength(before + 1)
    }
    page.source().begin()
    expect(page.state.open).toBe(true)
  })

  test('is not called live after two seconds of silence, and is once more when it is heard', async () => {
    page.source().begin()
    await page.answer()
    await page.answer()
    await vi.advanceTimersByTimeAsync(1_900)
    page.source().say('beat')
    await vi.advanceTimersByTimeAsync(1_999)
    expect(page.state.open).toBe(true)
    await vi.advanceTimersByTimeAsync(1)
    expect(page.state.open).toBe(false)
    const asked = page.asked.length
    page.source().say('beat')
    expect(page.state.open).toBe(true)
    expect(page.asked).toHaveLength(asked)
  })

  test('is given up when it is silent for longer, and opened again', async () => {
    page.source().begin()
    const silent = page.source()
    await vi.advanceTimersByTimeAsync(5_999)
    expect(page.source()).toBe(silent)
    await vi.advanceTimersByTimeAsync(1)
    expect(page.state.open).toBe(false)
    expect(silent.readyState).toBe(2)
    expect(page.source()).not.toBe(silent)
  })

  test('is closed while the browser is offline, and opened at once when it is not', () => {
    page.source().begin()
    page.live.lose()
    expect(page.state.open).toBe(false)
    expect(page.source().readyState).toBe(2)
    page.live.reopen()
    page.source().begin()
    expect(page.state.open).toBe(true)
  })
})
