import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from '../../../api.ts'
import { Autosave } from './autosave.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** A server that records what it receives, and answers when the test tells it to. */
function startServer(revision = 1) {
  const sent: { draft: string; revision: number }[] = []
  const kept: { draft: string; revision: number }[] = []
  let answers: PromiseWithResolvers<{ revision: number }>[] = []
  const autosave = new Autosave<string>({
    revision,
    send: (draft, base) => {
      sent.push({ draft, revision: base })
      const answer = Promise.withResolvers<{ revision: number }>()
      answers.push(answer)
      return answer.promise
    },
    keepLocally: (draft, base) => kept.push({ draft, revision: base }),
    forgetLocal: () => kept.splice(0),
  })
  const answer = async (outcome: { revision: number } | Error) => {
    const [first, ...rest] = answers
    answers = rest
    if (outcome instanceof Error) first?.reject(outcome)
    else first?.resolve(outcome)
    await vi.advanceTimersByTimeAsync(0)
  }
  return { autosave, sent, kept, answer }
}

test('saves once, with the last change, when the writer pauses', async () => {
  const { autosave, sent, kept, answer } = startServer()
  for (const draft of ['T', 'Ti', 'Tid', 'Tide']) {
    autosave.change(draft)
    await vi.advanceTimersByTimeAsync(300)
  }
  expect(sent).toEqual([])
  expect(kept.at(-1)).toEqual({ draft: 'Tide', revision: 1 })
  await vi.advanceTimersByTimeAsync(1_000)
  expect(sent).toEqual([{ draft: 'Tide', revision: 1 }])
  expect(autosave.state.kind).toBe('saving')
  await answer({ revision: 2 })
  expect(autosave.state.kind).toBe('saved')
  expect(kept).toEqual([])
})

test('sends one save at a time; later changes build on its revision', async () => {
  const { autosave, sent, answer } = startServer()
  autosave.change('one')
  await vi.advanceTimersByTimeAsync(1_000)
  autosave.change('one two')
  await vi.advanceTimersByTimeAsync(5_000)
  expect(sent).toHaveLength(1)
  await answer({ revision: 2 })
  await vi.advanceTimersByTimeAsync(1_000)
  expect(sent[1]).toEqual({ draft: 'one two', revision: 2 })
})

test('keeps the draft on the device and tries again when the server does not answer', async () => {
  const { autosave, sent, kept, answer } = startServer()
  autosave.change('offline words')
  await vi.advanceTimersByTimeAsync(1_000)
  await answer(new ApiError('offline', ''))
  expect(autosave.state.kind).toBe('offline')
  expect(kept.at(-1)?.draft).toBe('offline words')
  await vi.advanceTimersByTimeAsync(2_000)
  expect(sent).toHaveLength(2)
  await answer({ revision: 2 })
  expect(autosave.state.kind).toBe('saved')
})

test('stops when somebody else has saved, until the writer chooses a version', async () => {
  const { autosave, sent, kept, answer } = startServer()
  autosave.change('mine')
  await vi.advanceTimersByTimeAsync(1_000)
  await answer(new ApiError('edited_meanwhile', '', { status: 409 }))
  autosave.change('mine, longer')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(autosave.state.kind).toBe('conflict')
  expect(sent).toHaveLength(1)
  expect(kept.at(-1)?.draft).toBe('mine, longer')

  autosave.resolveConflict(7, 'mine, longer')
  await vi.advanceTimersByTimeAsync(0)
  expect(sent[1]).toEqual({ draft: 'mine, longer', revision: 7 })
  await answer({ revision: 8 })
  expect(autosave.state.kind).toBe('saved')
})

test('choosing the other version removes the local copy and sends nothing', async () => {
  const { autosave, sent, kept } = startServer()
  autosave.change('mine')
  autosave.startConflict('mine')
  autosave.resolveConflict(3, null)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(sent).toEqual([])
  expect(kept).toEqual([])
  expect(autosave.baseRevision).toBe(3)
})

test('keeps a refused draft, shows the error, and sends again after the next change', async () => {
  const { autosave, sent, kept, answer } = startServer()
  autosave.change('too long')
  await vi.advanceTimersByTimeAsync(1_000)
  await answer(new ApiError('document_invalid', 'content[3]', { status: 422 }))
  expect(autosave.state.kind).toBe('refused')
  expect(kept.at(-1)?.draft).toBe('too long')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(sent).toHaveLength(1)
  autosave.change('shorter')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(sent[1]?.draft).toBe('shorter')
})

test('every flush waits for the last change, also one that another flush saves', async () => {
  const { autosave, answer } = startServer()
  autosave.change('one')
  void autosave.flush()
  autosave.change('one two')
  let ended = 0
  for (const flush of [autosave.flush(), autosave.flush()]) void flush.then(() => ended++)
  await answer({ revision: 2 })
  expect(ended).toBe(0)
  await answer({ revision: 3 })
  expect(ended).toBe(2)
})

test('flush waits for the save in flight, then saves the last change', async () => {
  const { autosave, sent, answer } = startServer()
  autosave.change('one')
  void autosave.flush()
  await vi.advanceTimersByTimeAsync(0)
  autosave.change('two')
  const left = autosave.flush()
  expect(sent).toHaveLength(1)
  await answer({ revision: 2 })
  expect(sent[1]).toEqual({ draft: 'two', revision: 2 })
  await answer({ revision: 3 })
  await left
  expect(autosave.unsaved).toBe(false)
})

/** A server that stores what it receives, and whose answers get lost while the test says so. */
function startServerLosingAnswers() {
  let stored = { draft: '', revision: 1 }
  let lost = false
  const autosave = new Autosave<string>({
    revision: 1,
    send: (draft, revision) => {
      if (revision !== stored.revision)
        return Promise.reject(new ApiError('edited_meanwhile', '', { status: 409, detail: stored }))
      stored = { draft, revision: revision + 1 }
      return lost ? Promise.reject(new ApiError('offline', '')) : Promise.resolve(stored)
    },
    keepLocally: () => {},
    forgetLocal: () => {},
    savedRevision: (refusal, sent) => {
      const theirs = refusal.detail as typeof stored
      return sent.includes(theirs.draft) ? theirs.revision : null
    },
  })
  return {
    autosave,
    stored: () => stored,
    loseAnswers: (lose: boolean) => {
      lost = lose
    },
    write: (draft: string) => {
      stored = { draft, revision: stored.revision + 1 }
    },
  }
}

test('a save that arrived but whose answer was lost is not a conflict', async () => {
  const { autosave, stored, loseAnswers } = startServerLosingAnswers()
  loseAnswers(true)
  autosave.change('one')
  await vi.advanceTimersByTimeAsync(1_000)
  autosave.change('one two')
  await vi.advanceTimersByTimeAsync(1_000)
  loseAnswers(false)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(autosave.state.kind).toBe('saved')
  expect(stored().draft).toBe('one two')
})

test('a change by somebody else is a conflict even after an answer was lost', async () => {
  const { autosave, stored, loseAnswers, write } = startServerLosingAnswers()
  loseAnswers(true)
  autosave.change('mine')
  await vi.advanceTimersByTimeAsync(1_000)
  write('theirs')
  await vi.advanceTimersByTimeAsync(10_000)
  expect(autosave.state.kind).toBe('conflict')
  expect(stored().draft).toBe('theirs')
})

test('details are saved on top of the draft, and later changes on top of the details', async () => {
  const { autosave, sent, answer } = startServer()
  autosave.change('words')
  const aside = Promise.withResolvers<{ revision: number }>()
  const bases: number[] = []
  const saved = autosave.saveAlongside((revision) => {
    bases.push(revision)
    return aside.promise
  })
  await answer({ revision: 2 })
  autosave.change('more words')
  await vi.advanceTimersByTimeAsync(5_000)
  expect([bases, sent.length]).toEqual([[2], 1])
  aside.resolve({ revision: 3 })
  await saved
  await vi.advanceTimersByTimeAsync(1_000)
  expect(sent[1]).toEqual({ draft: 'more words', revision: 3 })
})
