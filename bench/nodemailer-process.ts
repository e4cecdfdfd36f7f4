import { createTransport } from 'nodemailer'

/** The reference that people use: nodemailer's pool, composing each message. Prints the seconds it took as JSON. */
export interface NodemailerOrder {
  port: number
  messages: number
  connections: number
  html: string
  text: string
  /** What stands for the reader in `html` and `text`. */
  reader: string
}

const { port, messages, connections, html, text, reader } = JSON.parse(process.argv[2] ?? '') as NodemailerOrder

const transport = createTransport({
  host: '127.0.0.1',
  port,
  pool: true,
  maxConnections: connections,
  maxMessages: Number.POSITIVE_INFINITY,
  ignoreTLS: true,
})
let next = 0
const lane = async () => {
  while (next < messages) {
    const id = `${next++}`.padStart(reader.length, '0')
    await transport.sendMail({
      from: { name: 'Inès', address: 'bench@lowwater.test' },
      to: `reader${id}@example.com`,
      subject: 'Low tide',
      html: html.replaceAll(reader, id),
      text: text.replaceAll(reader, id),
      messageId: `<${id}@lowwater.test>`,
      headers: {
        'List-Unsubscribe': `<https://news.example.org/unsub/${id}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      },
    })
  }
}
const begun = performance.now()
// Twice as many as connections, so that none waits for the next message.
await Promise.all(Array.from({ length: connections * 2 }, lane))
process.stdout.write(JSON.stringify({ seconds: (performance.now() - begun) / 1_000 }))
transport.close()
