import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { portOf } from './port.ts'

/** What a store answers to every call: an error of S3 by its status and code, or nothing at all. */
export type Trouble = { status: number; code: string } | 'silent'

export interface FakeBucket {
  /** For STORAGE_URL. */
  url: string
  objects: Map<string, Buffer>
  /** From now on; null: it works. */
  trouble: Trouble | null
  stop(): Promise<void>
}

const errorXml = (code: string) =>
  `<?xml version="1.0"?><Error><Code>${code}</Code><Message>No: ${code}</Message><AWSAccessKeyId>AKIA</AWSAccessKeyId></Error>`

/** A stand-in for a store of S3, with the shapes of its API reference: PutObject, GetObject, DeleteObject, ListObjectsV2. */
export async function startFakeBucket(): Promise<FakeBucket> {
  const objects = new Map<string, Buffer>()
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const endpoint = encodeURIComponent(`http://127.0.0.1:${portOf(server)}`)
  const bucket: FakeBucket = {
    url: `s3://AKIA:very-secret@pictures/tirage?region=eu-west-3&endpoint=${endpoint}`,
    objects,
    trouble: null,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return bucket

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request)
    const { trouble } = bucket
    if (trouble === 'silent') return
    if (trouble) return send(response, trouble.status, errorXml(trouble.code))
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://bucket.test')
    const key = decodeURIComponent(pathname.replace('/pictures/', ''))
    if (request.method === 'PUT') {
      objects.set(key, body)
      return send(response, 200, '')
    }
    if (request.method === 'DELETE') {
      objects.delete(key)
      return send(response, 204, '')
    }
    if (searchParams.get('list-type') === '2') return send(response, 200, listOf(searchParams.get('prefix') ?? ''))
    const found = objects.get(key)
    return found ? send(response, 200, found) : send(response, 404, errorXml('NoSuchKey'))
  }

  function listOf(prefix: string): string {
    const contents = [...objects]
      .filter(([key]) => key.startsWith(prefix))
      .map(
        ([key, { length }]) =>
          `<Contents><Key>${key}</Key><Size>${length}</Size><LastModified>2026-01-01T00:00:00.000Z</LastModified></Contents>`,
      )
    return `<?xml version="1.0"?><ListBucketResult><IsTruncated>false</IsTruncated>${contents.join('')}</ListBucketResult>`
  }
}

function send(response: ServerResponse, status: number, body: string | Buffer): void {
  response.writeHead(status, { 'content-type': 'application/xml' }).end(body)
}
