import { expect, test } from 'vitest'
import type { Draft } from '../draft.ts'
import { chooseInitialDraft } from './initial-draft.ts'

const draft = (title: string): Draft => ({ title, subtitle: '', content: { type: 'doc', content: [] } })
const at = Date.UTC(2026, 10, 14)

test.each([
  ['nothing is stored on this device', null, 'saved', 'server', 4],
  ['the server has what is stored on this device', { draft: draft('server'), revision: 3, at }, 'saved', 'server', 4],
  ['a draft builds on what the server has', { draft: draft('newer'), revision: 4, at }, 'restored', 'newer', 4],
  ['somebody else has saved', { draft: draft('mine'), revision: 3, at }, 'conflict', 'mine', 3],
  [
    'our own save arrived after the page was closed',
    { draft: draft('newer'), revision: 3, sent: [draft('older'), draft('server')], at },
    'restored',
    'newer',
    4,
  ],
  [
    'somebody else has saved something that was not sent from here',
    { draft: draft('newer'), revision: 3, sent: [draft('older')], at },
    'conflict',
    'newer',
    3,
  ],
] as const)('the editor starts with the right draft when %s', (_, copy, kind, title, revision) => {
  const kept = copy && { ...copy, sent: 'sent' in copy ? [...copy.sent] : [] }
  const opening = chooseInitialDraft(draft('server'), 4, kept)
  expect([opening.kind, opening.draft.title, opening.revision]).toEqual([kind, title, revision])
})
