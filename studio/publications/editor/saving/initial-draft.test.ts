import { expect, test } from 'vitest'
import type { Draft } from '../draft.ts'
import { chooseInitialDraft } from './initial-draft.ts'

const draft = (title: string): Draft => ({ title, subtitle: '', content: { type: 'doc', content: [] } })
const at = Date.UTC(2026, 10, 14)

interface Case {
  name: string
  copy: { draft: Draft; revision: number; sent?: Draft[]; at: number } | null
  kind: 'saved' | 'restored' | 'conflict'
  title: string
  revision: number
}

const cases: Case[] = [
  { name: 'nothing is stored on this device', copy: null, kind: 'saved', title: 'server', revision: 4 },
  {
    name: 'the server has what is stored on this device',
    copy: { draft: draft('server'), revision: 3, at },
    kind: 'saved',
    title: 'server',
    revision: 4,
  },
  {
    name: 'a draft builds on what the server has',
    copy: { draft: draft('newer'), revision: 4, at },
    kind: 'restored',
    title: 'newer',
    revision: 4,
  },
  {
    name: 'somebody else has saved',
    copy: { draft: draft('mine'), revision: 3, at },
    kind: 'conflict',
    title: 'mine',
    revision: 3,
  },
  {
    name: 'our own save arrived after the page was closed',
    copy: { draft: draft('newer'), revision: 3, sent: [draft('older'), draft('server')], at },
    kind: 'restored',
    title: 'newer',
    revision: 4,
  },
  {
    name: 'somebody else has saved something that was not sent from here',
    copy: { draft: draft('newer'), revision: 3, sent: [draft('older')], at },
    kind: 'conflict',
    title: 'newer',
    revision: 3,
  },
]

test.each(cases)('the editor starts with the right draft when $name', ({ copy, kind, title, revision }) => {
  const initial = chooseInitialDraft(draft('server'), 4, copy)
  expect([initial.kind, initial.draft.title, initial.revision]).toEqual([kind, title, revision])
})
