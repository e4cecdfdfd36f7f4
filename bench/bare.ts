import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The reference: a redirect by `node:http` and nothing else. Prints its port. */
const server = createServer((_request, response) => {
  response.writeHead(302, { location: 'https://example.org/', 'cache-control': 'no-store', 'content-length': 0 })
  response.end()
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`))
