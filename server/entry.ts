import { setFlagsFromString } from 'node:v8'
import { holdYoungMemory } from './young-memory.ts'

// What is imported below these lines is loaded after them.
// Sending makes much garbage that lives briefly. With V8's own limit the process would grow to twice its size.
setFlagsFromString('--heap-growing-percent=60')
holdYoungMemory()

await import('./cli.ts')
