import { createServer, type RequestListener } from 'node:http'
import {
  documentAddress,
  MEDIA_TYPE,
  type NewsletterDocument,
  signDocument,
  subscribeAddress,
} from '../campaigns/recommendations/remote/document.ts'
import { Signer } from '../http/signing.ts'
import { portOf } from './port.ts'

/** A server with a newsletter `stage`, whose answers a test chooses. */
export interface RemoteStage {
  base: string
  /** How many requests came. */
  asked(): number
  answer(listener: RequestListener): void
  saying(more?: Partial<NewsletterDocument>): NewsletterDocument
  /** The document, by its own key unless another is given. */
  signed(more?: Partial<NewsletterDocument>, by?: Signer): string
  stop(): void
}

export const answering =
  (body: string, headers: Record<string, string> = {}, status = 200): RequestListener =>
  (_request, response) =>
    response.writeHead(status, { 'content-type': MEDIA_TYPE, ...headers }).end(body)

const own = new Signer('a secret of the stage, long enough for it')

/** At first it answers its document. */
export async function startRemoteStage(now = () => new Date()): Promise<RemoteStage> {
  let asked = 0
  let listener: RequestListener = (request, response) => answering(stage.signed())(request, response)
  const server = createServer((request, response) => {
    asked += 1
    listener(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${portOf(server)}`
  const stage: RemoteStage = {
    base,
    asked: () => asked,
    answer(next) {
      listener = next
    },
    saying: (more = {}) => {
      const iat = Math.floor(now().getTime() / 1000)
      const addresses = {
        url: documentAddress({ base, name: 'stage' }),
        subscribe: subscribeAddress({ base, name: 'stage' }),
      }
      const words = { id: 'stage', handle: null, name: 'Stage', description: '', language: 'en' }
      return { ...addresses, ...words, iat, exp: iat + 86_400, ...more }
    },
    signed: (more = {}, by = own) => signDocument(by, stage.saying(more)),
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
  return stage
}
