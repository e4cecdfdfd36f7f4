import { connect } from 'node:net'

/**
 * The input of the replacement for postfix's `smtp-source`, where that is not installed: a ready-made text, one message
 * for each connection, without pipelining. It prints its seconds as JSON.
 */
export interface SenderOrder {
  port: number
  messages: number
  connections: number
  /** The size of the text. */
  bytes: number
}

const order: SenderOrder = JSON.parse(process.argv[2] ?? '')
const { port, messages, connections, bytes } = order

const line = `${'X'.repeat(78)}\r\n`
const text = Buffer.from(`Subject: ready-made\r\n\r\n${line.repeat(Math.ceil(bytes / line.length))}`).subarray(0, bytes)
const textWithEnd = Buffer.concat([text, Buffer.from('\r\n.\r\n')])
const dialogue = [
  'EHLO bench\r\n',
  'MAIL FROM:<bench@lowwater.test>\r\n',
  'RCPT TO:<reader@example.com>\r\n',
  'DATA\r\n',
  textWithEnd,
  'QUIT\r\n',
]
let left = messages

const begun = performance.now()
await Promise.all(Array.from({ length: connections }, sendInLoop))
process.stdout.write(JSON.stringify({ seconds: (performance.now() - begun) / 1_000 }))

async function sendInLoop(): Promise<void> {
  while (left-- > 0) await sendOne()
}

function sendOne(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1').setNoDelay(true)
    let step = 0
    socket.on('data', (piece) => {
      // In the last line of an answer a space follows the code.
      if (!/(^|\n)\d{3} [^\n]*\n$/.test(piece.toString('latin1'))) return
      const next = dialogue[step++]
      if (next) socket.write(next)
    })
    socket.on('error', reject).on('close', () => resolve())
  })
}
