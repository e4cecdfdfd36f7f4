import { expect, test } from 'vitest'
import type { Draft } from '../draft.ts'
import { chooseInitialDraft } from './initial-draft.ts'

const draft = (title: string): Draft => ({ title, subtitle: '', content: { type: 'doc', content: [] } })
const at = Date.UTC(2026, 10, 14)

test.each([
  ['nothing kept', null, 'plain', 'server', 4],
  ['what is kept is what the server has', { draft: draft('server'), revision: 3, at }, 'plain', 'server', 4],
  ['words on top of what the server has', { draft: draft('newer'), revision: 4, at }, 'restored', 'newer', 4],
  ['somebody else saved meanwhile', { draft: draft('mine'), revision: 3, at }, 'forked', 'mine', 3],
  [
    'our own save arrived after the page was closed',
    { draft: draft('newer'), revision: 3, sent: [draft('older'), draft('server')], at },
    'restored',
    'newer',
    4,
  ],
  [
    'somebody else saved, not we',
    { draft: draft('newer'), revision: 3, sent: [draft('older')], at },
    'forked',
    'newer',
    3,
  ],
] as const)('an editor opens when %s', (_, copy, kind, title, revision) => {
  const kept = copy && { ...copy, sent: 'sent' in copy ? [...copy.sent] : [] }
  const opening = chooseInitialDraft(draft('server'), 4, kept)
  expect([opening.kind, opening.draft.title, opening.revision]).toEqual([kind, title, revision])
})
