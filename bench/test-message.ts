import PostalMime from 'postal-mime'
import type { Cluster } from '../server/testing/cluster.ts'
import { type IncomingMessage, type Step, startSink } from '../server/testing/smtp-sink.ts'
import { measureSending } from './sending.ts'

/** Bytes of a message on the wire. */
const SIZE = 10_240
/** Characters of the first draft. */
const SHORT = 400

/** A publication whose mails have the wanted size, with a name, tracked links, an unsubscribe link and a pixel. */
export interface TestMessage {
  content: object
  /** Bytes of one message on the wire, with its headers and the final dot. */
  bytes: number
  /** The mail of the only subscriber, and the id in it that stands for them. */
  html: string
  text: string
  subscriber: string
}

/** Sends drafts to one subscriber and adds text until a mail has the wanted size. */
export async function composeTestMessage(fleet: Cluster): Promise<TestMessage> {
  let last: Buffer = Buffer.alloc(0)
  const keep = (step: Step, { text }: IncomingMessage): undefined => {
    // The owner also gets system mail.
    if (step === 'WHOLE' && text?.includes('List-Unsubscribe')) last = Buffer.from(text)
  }
  const sink = await startSink({ decide: keep })
  await fleet.addNewsletter('draft', 1)
  const sender = await fleet.startWorker(sink.url)
  const sizeOf = async (content: object): Promise<number> => {
    await measureSending(fleet, { newsletterId: 'draft', content, sender })
    return last.length + END.length
  }
  const short = await sizeOf(documentOf(SHORT))
  const longer = await sizeOf(documentOf(2 * SHORT))
  const length = SHORT + Math.round(((SIZE - short) / (longer - short)) * SHORT)
  if (length < 1) throw new Error(`${short} bytes without any text: a message of ${SIZE} is impossible`)
  const content = documentOf(length)
  const bytes = await sizeOf(content)
  await sender.end('SIGTERM')
  await sink.stop()
  const { html = '', text = '', messageId = '' } = await PostalMime.parse(last)
  return { content, bytes, html, text, subscriber: /\.([\w-]+)@/.exec(messageId)?.[1] ?? '' }
}

const END = '.\r\n'
const words = 'Twice a day the sea leaves, and for an hour the harbour belongs to those who know where to walk. '
const places = ['tide', 'harbour', 'moon', 'lock', 'ferry']

const documentOf = (length: number): object => ({
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
