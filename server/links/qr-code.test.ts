import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'
import { readQrCode } from '../testing/qr-reader.ts'
import { qrCode } from './qr-code.ts'

let server: TestNewsletter
beforeAll(async () => {
  server = await startTestNewsletter()
})
afterAll(() => server?.stop())

test('the code of a link, as SVG and as PNG of any size, says its address when it is read', async () => {
  const slugs = ['sea', 'affiche-du-quai', 'a-name-as-long-as-an-own-address-may-be']
  for (const slug of slugs) {
    const body = { target: 'https://example.org/', slug }
    const { url } = (await server.owner.call('POST', `${server.path}/links`, body)).json()
    for (const query of ['', '?format=png&pixels=300', '?format=png&pixels=401', '?format=png&pixels=1024']) {
      const { rawPayload } = await server.owner.call('GET', `${server.path}/links/${slug}/qr${query}`)
      expect([query, await readQrCode(rawPayload)]).toEqual([query, { text: url, level: 'M', quietZone: 4 }])
    }
  }
})

test('codes of every size that an address needs are read', async () => {
  for (let length = 1; length <= 100; length += 9) {
    const address = `https://a.example/${'x'.repeat(length)}`.slice(0, 100)
    for (const format of ['svg', 'png'] as const)
      expect((await readQrCode(await qrCode(address, format, 500))).text).toBe(address)
  }
})
