import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../root.ts'

/** A bounce or complaint as a real server writes it, about the delivery with this return path and Message-ID. */
export function feedbackSample(
  file: string,
  { returnPath, messageId }: { returnPath: string; messageId: string },
): Buffer {
  const text = readFileSync(join(projectRoot, 'server/feedback/samples', `${file}.eml`), 'utf8')
  const filled = text.replaceAll('{{return-path}}', returnPath).replaceAll('{{message-id}}', messageId)
  return Buffer.from(filled.replaceAll('\n', '\r\n'))
}
