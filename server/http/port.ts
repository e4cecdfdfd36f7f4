import { createServer } from 'node:net'
import { messageOf, StartError } from '../start-error.ts'

/** @throws StartError when the server cannot listen on the address for any other reason than that it is taken */
export function isPortFree(host: string, port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false)
      else reject(new StartError(`Port ${port} of ${host} cannot be used: ${explain(error)}.`))
    })
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(true)))
  })
}

const explain = (error: NodeJS.ErrnoException): string =>
  error.code === 'EACCES' ? 'ports below 1024 are for root; set PORT to a greater one' : messageOf(error)
