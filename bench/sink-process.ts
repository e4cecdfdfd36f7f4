import { startSink } from '../server/testing/smtp-sink.ts'

/** Our own sink as a program: `node sink-process.ts '{"delayMs":20}'`. Prints its port. */
const options: { delayMs?: number } = JSON.parse(process.argv[2] ?? '{}')
const sink = await startSink(options)
process.stdout.write(`${sink.port}\n`)
