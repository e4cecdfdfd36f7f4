import PostalMime from 'postal-mime'
import type { Fleet } from '../server/testing/fleet.ts'
import { type Parcel, type Step, startSink } from '../server/testing/sink.ts'
import { sendPublication } from './sending.ts'

/** Bytes of a message as it travels. */
const SIZE = 10_240
/** Characters of the first draft. */
const SHORT = 400

/** A publication of the size that is measured, with a name, tracked links, a way out and a pixel. */
export interface Letter {
  content: object
  /** Bytes of one message as it travelled, its headers and final dot included. */
  bytes: number
  /** What its one reader got, and the id that stands for them in it. */
  html: string
  text: string
  reader: string
}

/** Sends drafts to one reader, and fills up what is missing. */
export async function writeLetter(fleet: Fleet): Promise<Letter> {
  let last: Buffer = Buffer.alloc(0)
  const keep = (step: Step, { text }: Parcel): undefined => {
    // The house itself writes to its owner too.
    if (step === 'WHOLE' && text?.includes('List-Unsubscribe')) last = Buffer.from(text)
  }
  const sink = await startSink({ decide: keep })
  await fleet.addNewsletter('draft', 1)
  const hand = await fleet.hire(sink.url)
  const sizeOf = async (content: object): Promise<number> => {
    await sendPublication(fleet, { newsletterId: 'draft', content, hand })
    return last.length + END.length
  }
  const short = await sizeOf(letterOf(SHORT))
  const longer = await sizeOf(letterOf(2 * SHORT))
  const length = SHORT + Math.round(((SIZE - short) / (longer - short)) * SHORT)
  if (length < 1) throw new Error(`${short} bytes without a word to say: a message of ${SIZE} cannot be had`)
  const content = letterOf(length)
  const bytes = await sizeOf(content)
  await hand.end('SIGTERM')
  await sink.stop()
  const { html = '', text = '', messageId = '' } = await PostalMime.parse(last)
  return { content, bytes, html, text, reader: /\.([\w-]+)@/.exec(messageId)?.[1] ?? '' }
}

const END = '.\r\n'
const words = 'Twice a day the sea leaves, and for an hour the harbour belongs to those who know where to walk. '
const places = ['tide', 'harbour', 'moon', 'lock', 'ferry']

const letterOf = (length: number): object => ({
  type: 'doc',
  content: [
    {
      type: 'paragraph',
      content: [
        { type: 'text', text: 'Dear ' },
        { type: 'mergeTag', attrs: { field: 'name', fallback: 'reader' } },
        ...places.flatMap((place) => [
          { type: 'text', text: ', ' },
          { type: 'text', text: place, marks: [{ type: 'link', attrs: { href: `https://example.org/${place}` } }] },
        ]),
      ],
    },
    { type: 'paragraph', content: [{ type: 'text', text: words.repeat(length / words.length + 1).slice(0, length) }] },
  ],
})
