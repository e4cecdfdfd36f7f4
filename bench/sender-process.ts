import { connect } from 'node:net'

/**
 * Where postfix's `smtp-source` is not installed: as dumb as that one. A ready-made text, one message a connection, a
 * plain dialogue, so many connections at a time. Prints the seconds it took as JSON.
 */
export interface SenderOrder {
  port: number
  messages: number
  connections: number
  /** Of the text. */
  bytes: number
}

const { port, messages, connections, bytes } = JSON.parse(process.argv[2] ?? '') as SenderOrder

const line = `${'X'.repeat(78)}\r\n`
const text = Buffer.from(`Subject: ready-made\r\n\r\n${line.repeat(Math.ceil(bytes / line.length))}`).subarray(0, bytes)
const whole = Buffer.concat([text, Buffer.from('\r\n.\r\n')])
const dialogue = [
  'EHLO bench\r\n',
  'MAIL FROM:<bench@lowwater.test>\r\n',
  'RCPT TO:<reader@example.com>\r\n',
  'DATA\r\n',
  whole,
  'QUIT\r\n',
]
let left = messages

const begun = performance.now()
await Promise.all(Array.from({ length: connections }, lane))
process.stdout.write(JSON.stringify({ seconds: (performance.now() - begun) / 1_000 }))

async function lane(): Promise<void> {
  while (left-- > 0) await sendOne()
}

function sendOne(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1').setNoDelay(true)
    let step = 0
    socket.on('data', (piece) => {
      // The last line of an answer has a space behind its code.
      if (!/(^|\n)\d{3} [^\n]*\n$/.test(piece.toString('latin1'))) return
      const next = dialogue[step++]
      if (next) socket.write(next)
    })
    socket.on('error', reject).on('close', () => resolve())
  })
}
