import { createTransport } from 'nodemailer'

/** The input of this reference: nodemailer's pool, which composes each message. It prints its seconds as JSON. */
export interface NodemailerOrder {
  port: number
  messages: number
  connections: number
  html: string
  text: string
  /** The id in `html` and `text` that is replaced for each message. */
  subscriber: string
}

const order: NodemailerOrder = JSON.parse(process.argv[2] ?? '')
const { port, messages, connections, html, text, subscriber } = order

const transport = createTransport({
  host: '127.0.0.1',
  port,
  pool: true,
  maxConnections: connections,
  maxMessages: Number.POSITIVE_INFINITY,
  ignoreTLS: true,
})
let next = 0
const sendInLoop = async () => {
  while (next < messages) {
    const id = `${next++}`.padStart(subscriber.length, '0')
    await transport.sendMail({
      from: { name: 'Inès', address: 'bench@lowwater.test' },
      to: `reader${id}@example.com`,
      subject: 'Low tide',
      html: html.replaceAll(subscriber, id),
      text: text.replaceAll(subscriber, id),
      messageId: `<${id}@lowwater.test>`,
      headers: {
        'List-Unsubscribe': `<https://news.example.org/unsub/${id}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      },
    })
  }
}
const begun = performance.now()
// Twice as many as connections, so that no connection waits for the next message.
await Promise.all(Array.from({ length: connections * 2 }, sendInLoop))
process.stdout.write(JSON.stringify({ seconds: (performance.now() - begun) / 1_000 }))
transport.close()
