import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../root.ts'

/** A message as some server really writes it, about the delivery that these two name. */
export function sample(file: string, { returnPath, messageId }: { returnPath: string; messageId: string }): Buffer {
  const text = readFileSync(join(projectRoot, 'server/feedback/samples', `${file}.eml`), 'utf8')
  const filled = text.replaceAll('{{return-path}}', returnPath).replaceAll('{{message-id}}', messageId)
  return Buffer.from(filled.replaceAll('\n', '\r\n'))
}
