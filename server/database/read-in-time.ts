import { Transform } from 'node:stream'

/** The time in which a reader must take `LEAST_BYTES`, while there are some to take: two kilobytes a second. */
const WINDOW_MS = 30_000
const LEAST_BYTES = 64_000

/**
 * Passes bytes on, and fails when its reader takes hardly any: what it reads from, such as a connection to the database, is kept from
 * everybody else meanwhile. A source that is slow itself never fails.
 */
export function readInTime(windowMs = WINDOW_MS): Transform {
  let passed = 0
  let before = 0
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      passed += chunk.length
      done(null, chunk)
    },
  })
  const timer = setInterval(() => {
    const waiting = stream.readableLength > 0
    if (waiting && passed - before < LEAST_BYTES) stream.destroy(new Error('the reader took too long'))
    before = passed
  }, windowMs).unref()
  return stream.once('close', () => clearInterval(timer))
}
