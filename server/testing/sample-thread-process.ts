import { AppError } from '../errors.ts'
import { serveThread } from '../jobs/serve-thread.ts'
import type { ThreadJob } from '../jobs/threads.ts'

const job = <Input, Output>(name: string, run: (input: Input) => Output): ThreadJob<Input, Output> => ({ name, run })

export const sampleJobs = {
  reverse: job('reverse', (text: string) => [...text].reverse().join('')),
  refuse: job('refuse', (place: string): never => {
    throw new AppError('document_invalid', { params: { place } })
  }),
  hang: job('hang', (_: null): never => {
    for (;;);
  }),
  grow: job('grow', (_: null): number => {
    const kept: object[] = []
    for (;;) kept.push({ kept: kept.length })
  }),
  end: job('end', (code: number): never => process.exit(code)),
}

serveThread(Object.values(sampleJobs))
