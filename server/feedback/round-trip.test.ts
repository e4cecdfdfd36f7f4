import nodemailer from 'nodemailer'
import { afterEach, expect, test } from 'vitest'
import { feedbackSample } from '../testing/feedback-samples.ts'
import { startTestNewsletter } from '../testing/newsletter.ts'
import { startRecordingRelay } from '../testing/recording-relay.ts'
import { startInbound } from './inbound.ts'

const open: { stop(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.stop()
})

test('the addresses in a sent message lead a bounce, a complaint and a request to leave back to its delivery', async () => {
  const relay = await startRecordingRelay()
  open.push(relay)
  const server = await startTestNewsletter({ SMTP_URL: relay.url, BOUNCE_DOMAIN: 'bounces.example.org' })
  open.push(server)
  const inbound = await startInbound(server.context, { host: '127.0.0.1', port: 0 })
  open.push(inbound)
  await server.addSubscribers(['gone@example.com', 'cross@example.com', 'bored@example.com', 'glad@example.com'])
  const { id } = await server.draft()
  await server.send(id)
  await server.work()
  expect(await server.counts(id)).toEqual({ intended: 4, accepted: 4 })

  const copyTo = (reader: string) => relay.received.find(({ to }) => to === `${reader}@example.com`)
  const bring = (to: string, raw: Buffer, from = '') =>
    nodemailer
      .createTransport({ host: '127.0.0.1', port: inbound.port, ignoreTLS: true })
      .sendMail({ envelope: { from, to }, raw })
  const messageId = (reader: string) => /^Message-ID: <(.+)>/im.exec(copyTo(reader)?.raw ?? '')?.[1] ?? ''
  const about = (file: string, reader: string) =>
    feedbackSample(file, { returnPath: copyTo(reader)?.from ?? '', messageId: messageId(reader) })
  const wayOut = /<mailto:([^>?]+)>/.exec(copyTo('bored')?.raw.replaceAll(/\r\n /g, ' ') ?? '')?.[1] ?? ''
  await bring(copyTo('gone')?.from ?? '', about('postfix-unknown-user', 'gone'))
  await bring('fbl@bounces.example.org', about('yahoo-complaint', 'cross'), 'feedback@mailbox.example')
  await bring(wayOut, Buffer.from('Subject: unsubscribe\r\n\r\n'), 'bored@example.com')

  const rows = await server.context.db.selectFrom('subscriber').select(['email', 'status']).orderBy('email').execute()
  expect(rows.map(({ email, status }) => `${email.split('@')[0]} ${status}`)).toEqual([
    'bored unsubscribed',
    'cross complained',
    'glad active',
    'gone bounced',
  ])
  expect(await server.counts(id)).toEqual({ intended: 4, accepted: 4 })
})
