import { createServer } from 'node:http'

/** The reference for redirects: `node:http` and nothing else. Prints its port. */
const server = createServer((_request, response) => {
  response.writeHead(302, { location: 'https://example.org/', 'cache-control': 'no-store', 'content-length': 0 })
  response.end()
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object') process.stdout.write(`${address?.port}\n`)
})
