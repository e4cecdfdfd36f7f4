import { startSink } from '../server/testing/sink.ts'

/** Our own sink in a process of its own: `node sink-process.ts '{"delayMs":20}'`. Prints its port. */
const sink = await startSink(JSON.parse(process.argv[2] ?? '{}') as { delayMs?: number })
process.stdout.write(`${sink.port}\n`)
