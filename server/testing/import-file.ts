import type { z } from 'zod'
import type { Import } from '../subscribers/import/contract.ts'
import { importLimits } from '../subscribers/import/contract.ts'
import type { TestNewsletter } from './newsletter.ts'

export type ShownImport = z.output<typeof Import> & { report: { line: number; reason: string; cell: string }[] }

interface Uploading {
  cookie?: string
  path?: string
  fileName?: string
}

/** Uploads a file part by part, as the owner app does; answers the last reply. */
export async function uploadFile(
  server: Pick<TestNewsletter, 'inject' | 'owner' | 'path'>,
  content: string | Buffer,
  { cookie = server.owner.cookie, path = server.path, fileName = 'people.csv' }: Uploading = {},
) {
  const data = Buffer.from(content as string)
  const begun = await server.inject({
    method: 'POST',
    url: `${path}/imports`,
    headers: { cookie, origin: 'http://tirage.test' },
    payload: { fileName, bytes: data.length },
  })
  if (begun.statusCode !== 200) return begun
  const { id } = begun.json<ShownImport>()
  let answer = begun
  let part = 0
  do {
    const piece = data.subarray(part * importLimits.partBytes, (part + 1) * importLimits.partBytes)
    answer = await uploadPart(server, { cookie, url: `${path}/imports/${id}/parts/${part}`, data: piece })
    part += 1
  } while (part * importLimits.partBytes < data.length && answer.statusCode === 200)
  return answer
}

export function uploadPart(
  { inject }: Pick<TestNewsletter, 'inject'>,
  { cookie, url, data }: { cookie: string; url: string; data: Buffer },
) {
  const edge = 'edge-of-part'
  const head = `--${edge}\r\nContent-Disposition: form-data; name="file"; filename="part"\r\nContent-Type: text/csv\r\n\r\n`
  return inject({
    method: 'POST',
    url,
    headers: { cookie, origin: 'http://tirage.test', 'content-type': `multipart/form-data; boundary=${edge}` },
    payload: Buffer.concat([Buffer.from(head), data, Buffer.from(`\r\n--${edge}--\r\n`)]),
  })
}

export const words = 'They subscribed to Harbour Notes by the form on its page.'

/** Uploads a file, and chooses for it what its beginning suggests. */
export async function checkFile(
  server: TestNewsletter,
  content: string | Buffer,
  choices: Record<string, unknown> = {},
): Promise<ShownImport> {
  const uploaded = (await uploadFile(server, content)).json<ShownImport>()
  return checkAgain(server, uploaded, choices)
}

export async function checkAgain(
  server: TestNewsletter,
  { id, sheet }: ShownImport,
  choices: Record<string, unknown> = {},
): Promise<ShownImport> {
  const body = {
    targets: sheet?.columns.map(({ target }) => target),
    hasHeader: sheet?.hasHeader,
    origin: 'own_newsletter',
    words,
    confirmed: true,
    ...choices,
  }
  const answer = await server.owner.call('POST', `${server.path}/imports/${id}/check`, body)
  if (answer.statusCode !== 200) throw new Error(answer.body)
  await server.work()
  return readImport(server, id)
}

export async function readImport({ owner, path }: TestNewsletter, id: string): Promise<ShownImport> {
  return (await owner.call('GET', `${path}/imports/${id}`)).json<ShownImport>()
}

/** From the file to the last row. */
export async function importFile(
  server: TestNewsletter,
  content: string | Buffer,
  choices: Record<string, unknown> = {},
): Promise<ShownImport> {
  const { id, state, refusal } = await checkFile(server, content, choices)
  if (state !== 'checked') throw new Error(`${state}: ${JSON.stringify(refusal)}`)
  const answer = await server.owner.call('POST', `${server.path}/imports/${id}/start`, {})
  if (answer.statusCode !== 200) throw new Error(answer.body)
  await server.work()
  return readImport(server, id)
}
