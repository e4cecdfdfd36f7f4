import { studioPaths } from '../../server/http/studio-paths.ts'

/** Questions in their parts, each with the page that does it; null when the answer is at the terminal. */
export const helpParts = [
  {
    part: 'begin',
    questions: [
      { question: 'list', path: studioPaths.imports },
      { question: 'test', path: studioPaths.publish },
      { question: 'relay', path: studioPaths.relaySettings },
      { question: 'domain', path: studioPaths.domainSettings },
    ],
  },
  {
    part: 'daily',
    questions: [
      { question: 'form', path: studioPaths.subscribingSettings },
      { question: 'together', path: studioPaths.memberSettings },
      { question: 'paid', path: studioPaths.chargeStripe },
      { question: 'sponsors', path: studioPaths.placements },
      { question: 'arrived', path: studioPaths.publish },
      { question: 'leave', path: studioPaths.subscribers },
    ],
  },
  {
    part: 'server',
    questions: [
      { question: 'address', path: null },
      { question: 'backup', path: null },
      { question: 'restore', path: null },
      { question: 'upgrade', path: null },
    ],
  },
] as const

export type AskedQuestion = (typeof helpParts)[number]['questions'][number]
