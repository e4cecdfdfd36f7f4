import type { TestApp } from './app.ts'

interface Upload {
  /** That of the newsletter: `/api/newsletters/x7`. */
  path: string
  cookie?: string
  data: Buffer
  name?: string | undefined
  type?: string | undefined
  headers?: Record<string, string>
}

/** Uploads a file as a browser's form does. */
export function uploadImage(
  { inject }: Pick<TestApp, 'inject'>,
  { path, cookie = '', data, name = 'boat.jpg', type = 'image/jpeg', headers = {} }: Upload,
) {
  const edge = 'edge-of-part'
  const head = `--${edge}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n`
  return inject({
    method: 'POST',
    url: `${path}/media`,
    headers: {
      cookie,
      origin: 'http://tirage.test',
      'content-type': `multipart/form-data; boundary=${edge}`,
      ...headers,
    },
    payload: Buffer.concat([Buffer.from(head), data, Buffer.from(`\r\n--${edge}--\r\n`)]),
  })
}
