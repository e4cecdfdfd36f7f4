import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import type { RelayConfig, RelayKind } from '../relays/contract.ts'

/** What a stand-in does with the next messages. */
type Mood = 'accepts' | 'knows nobody' | 'doubts our sender' | 'wants less' | 'knows us not' | 'fails' | 'hangs up'

/** A message as it arrived, whatever it travelled in. */
interface Arrived {
  to: string
  from: string
  subject: string
  html: string
  text: string
  headers: Record<string, string>
  attachments: { type: string; content: string; contentId: string | null }[]
  /** What the sender proved itself with. */
  secret: string
  /** Newsletter, publication and subscriber, where the kind has a place for them. */
  names: Record<string, string> | null
  path: string
  requestHeaders: Record<string, string>
}

export interface StandIn {
  way: RelayConfig
  secret: string
  /** For the kinds that are asked over HTTP. */
  gateway: string | null
  mood: Mood
  arrived: Arrived[]
  stop(): Promise<void>
}

interface Reply {
  status: number
  headers?: Record<string, string>
  body: unknown
}

type Replies = Record<Exclude<Mood, 'hangs up'>, Reply>
type Seen = { headers: Record<string, string>; path: string; body: Buffer }

interface Kind {
  way: RelayConfig
  secret: string
  replies: Replies
  read(seen: Seen): Promise<Omit<Arrived, 'path' | 'requestHeaders'>>
}

const plain = (headers: [string, string][]) =>
  Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]))

async function ofRaw(raw: Buffer | string) {
  const mail = await PostalMime.parse(raw, { attachmentEncoding: 'base64' })
  return {
    from: mail.from?.name ? `"${mail.from.name}" <${mail.from.address}>` : (mail.from?.address ?? ''),
    subject: mail.subject ?? '',
    html: mail.html ?? '',
    text: mail.text ?? '',
    headers: plain(mail.headers.map(({ key, value }) => [key, value])),
    attachments: mail.attachments.map(({ mimeType, content, contentId }) => ({
      type: mimeType,
      content: String(content),
      contentId: contentId?.replace(/^<|>$/g, '') ?? null,
    })),
  }
}

interface AmazonMail {
  Destination: { ToAddresses: string[] }
  Content: { Raw: { Data: string } }
  EmailTags?: { Name: string; Value: string }[]
}

interface PostmarkMail {
  From: string
  To: string
  Subject: string
  HtmlBody?: string
  TextBody?: string
  Headers: { Name: string; Value: string }[]
  Attachments: { ContentType: string; Content: string; ContentID?: string }[]
  Metadata?: Record<string, string>
}

interface ResendMail {
  from: string
  to: string[]
  subject: string
  html?: string
  text?: string
  headers: Record<string, string>
  attachments: { content_type: string; content: string; content_id?: string }[]
  tags?: { name: string; value: string }[]
}

const jsonOf = <Mail>(body: Buffer): Mail => JSON.parse(body.toString())

/** The providers' own words, as their references give them. */
const kinds: Record<Exclude<RelayKind, 'smtp'>, Kind> = {
  ses: {
    way: { kind: 'ses', region: 'eu-west-3', accessKeyId: 'AKIDEXAMPLE0123456', configurationSet: 'tirage' },
    secret: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
    replies: {
      accepts: { status: 200, body: { MessageId: '0102018f' } },
      'knows nobody': amazon(400, 'BadRequestException', 'Domain contains illegal character'),
      'doubts our sender': amazon(
        400,
        'MessageRejected',
        'Email address is not verified. The following identities failed the check in region EU-WEST-3: ines@lowwater.test',
      ),
      'wants less': amazon(429, 'TooManyRequestsException', 'Maximum sending rate exceeded.'),
      'knows us not': amazon(403, 'SignatureDoesNotMatch', 'The request signature we calculated does not match'),
      fails: amazon(500, 'InternalFailure', 'We encountered an internal error.'),
    },
    async read({ headers, body }) {
      const { Destination, Content, EmailTags } = jsonOf<AmazonMail>(body)
      return {
        ...(await ofRaw(Buffer.from(Content.Raw.Data, 'base64'))),
        to: Destination.ToAddresses[0] ?? '',
        secret: headers.authorization ?? '',
        names: EmailTags ? Object.fromEntries(EmailTags.map(({ Name, Value }) => [Name, Value])) : null,
      }
    },
  },
  postmark: {
    way: { kind: 'postmark', messageStream: 'broadcast' },
    secret: 'a1b2c3d4-server-token',
    replies: {
      accepts: { status: 200, body: { ErrorCode: 0, Message: 'OK', MessageID: 'b7bc2f4a' } },
      'knows nobody': postmarkSays(422, 406, 'You tried to send to a recipient that has been marked as inactive.'),
      'doubts our sender': postmarkSays(
        422,
        400,
        "The 'From' address you supplied is not a Sender Signature on your account.",
      ),
      'wants less': { ...postmarkSays(429, 429, 'Rate limit exceeded'), headers: { 'retry-after': '7' } },
      'knows us not': postmarkSays(401, 10, 'No Account or Server API tokens were supplied'),
      fails: postmarkSays(500, 0, 'Internal server error'),
    },
    async read({ headers, body }) {
      const { From, To, Subject, HtmlBody, TextBody, Headers, Attachments, Metadata } = jsonOf<PostmarkMail>(body)
      return {
        from: From,
        to: To,
        subject: Subject,
        html: HtmlBody ?? '',
        text: TextBody ?? '',
        headers: plain(Headers.map(({ Name, Value }) => [Name, Value])),
        attachments: Attachments.map(({ ContentType, Content, ContentID }) => ({
          type: ContentType,
          content: Content,
          contentId: ContentID?.replace(/^cid:/, '') ?? null,
        })),
        secret: headers['x-postmark-server-token'] ?? '',
        names: Metadata ?? null,
      }
    },
  },
  mailgun: {
    way: { kind: 'mailgun', domain: 'mg.lowwater.test', region: 'eu' },
    secret: 'key-3ax6xnjp29jd6fds4gc373sgvjxteol0',
    replies: {
      accepts: { status: 200, body: { id: '<20261121@mg>', message: 'Queued. Thank you.' } },
      'knows nobody': {
        status: 400,
        body: { message: "'to' parameter is not a valid address. please check documentation" },
      },
      'doubts our sender': {
        status: 403,
        body: { message: 'Domain mg.lowwater.test is not allowed to send: Please activate it' },
      },
      'wants less': { status: 429, headers: { 'retry-after': '7' }, body: { message: 'Too many requests' } },
      'knows us not': { status: 401, body: 'Forbidden' },
      fails: { status: 500, body: { message: 'Internal Server Error' } },
    },
    async read({ headers, body }) {
      const response = new Response(new Uint8Array(body), {
        headers: { 'content-type': headers['content-type'] ?? '' },
      })
      const form = await response.formData()
      const names = [...form].flatMap(([name, value]) =>
        name.startsWith('v:') ? [[name.slice(2), String(value)]] : [],
      )
      return {
        ...(await ofRaw(Buffer.from(await (form.get('message') as File).arrayBuffer()))),
        to: String(form.get('to')),
        secret: Buffer.from((headers.authorization ?? '').replace('Basic ', ''), 'base64')
          .toString()
          .replace('api:', ''),
        names: names.length > 0 ? Object.fromEntries(names) : null,
      }
    },
  },
  resend: {
    way: { kind: 'resend' },
    secret: 're_123456789',
    replies: {
      accepts: { status: 200, body: { id: '49a3999c' } },
      'knows nobody': resendSays(
        422,
        'validation_error',
        'Invalid `to` field. The email address needs to follow the format',
      ),
      'doubts our sender': resendSays(
        403,
        'validation_error',
        'The lowwater.test domain is not verified. Please, add and verify your domain',
      ),
      'wants less': { ...resendSays(429, 'rate_limit_exceeded', 'Too many requests'), headers: { 'retry-after': '7' } },
      'knows us not': resendSays(403, 'invalid_api_key', 'API key is invalid'),
      fails: resendSays(500, 'application_error', 'An unexpected error occurred.'),
    },
    async read({ headers, body }) {
      const { from, to, subject, html, text, headers: own, attachments, tags } = jsonOf<ResendMail>(body)
      return {
        from,
        to: to[0] ?? '',
        subject,
        html: html ?? '',
        text: text ?? '',
        headers: plain(Object.entries(own)),
        attachments: attachments.map(({ content_type, content, content_id }) => ({
          type: content_type,
          content,
          contentId: content_id ?? null,
        })),
        secret: (headers.authorization ?? '').replace('Bearer ', ''),
        names: tags ? Object.fromEntries(tags.map(({ name, value }) => [name, value])) : null,
      }
    },
  },
}

function amazon(status: number, name: string, message: string): Reply {
  return { status, headers: { 'x-amzn-errortype': name }, body: { message } }
}

function postmarkSays(status: number, code: number, message: string): Reply {
  return { status, body: { ErrorCode: code, Message: message } }
}

function resendSays(status: number, name: string, message: string): Reply {
  return { status, body: { statusCode: status, name, message } }
}

/** A local stand-in for one kind of relay, on a free port of this machine. */
export const startStandIn = (kind: RelayKind): Promise<StandIn> =>
  kind === 'smtp' ? startSmtp() : startHttp(kind, kinds[kind])

async function startHttp(kind: RelayKind, { way, secret, replies, read }: Kind): Promise<StandIn> {
  const server = createServer((request, response) => void answer(request, response))
  const standIn: StandIn = {
    way,
    secret,
    gateway: null,
    mood: 'accepts',
    arrived: [],
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const headers = request.headers as Record<string, string>
    const path = (request.url ?? '').replace(`/gate/${kind}`, '')
    standIn.arrived.push({
      ...(await read({ headers, path, body: Buffer.concat(pieces) })),
      path,
      requestHeaders: headers,
    })
    if (standIn.mood === 'hangs up') return void request.socket.destroy()
    const reply = replies[standIn.mood]
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers })
    response.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body))
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  standIn.gateway = `http://127.0.0.1:${(server.address() as AddressInfo).port}/gate`
  return standIn
}

async function startSmtp(): Promise<StandIn> {
  const secret = 'hunter2 é'
  let proved = ''
  const refusal = (responseCode: number, text: string) => Object.assign(new Error(text), { responseCode })
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    closeTimeout: 50,
    logger: false,
    onAuth({ password }, _session, done) {
      proved = password ?? ''
      if (standIn.mood === 'knows us not') done(refusal(535, '5.7.8 Authentication credentials invalid'))
      else done(null, { user: 'x' })
    },
    onMailFrom(_address, _session, done) {
      done(standIn.mood === 'doubts our sender' ? refusal(550, '5.7.1 Sender not allowed') : null)
    },
    onRcptTo(_address, _session, done) {
      done(standIn.mood === 'knows nobody' ? refusal(550, '5.1.1 No such user here') : null)
    },
    onData(stream, session, done) {
      const pieces: Buffer[] = []
      stream.on('data', (piece: Buffer) => pieces.push(piece))
      stream.on('end', async () => {
        const to = session.envelope.rcptTo[0]?.address ?? ''
        const mail = await ofRaw(Buffer.concat(pieces))
        standIn.arrived.push({ ...mail, to, secret: proved, names: null, path: '', requestHeaders: {} })
        if (standIn.mood === 'hangs up') for (const connection of server.connections) connection._socket.destroy()
        else if (standIn.mood === 'wants less') done(refusal(421, '4.7.0 Try again later, closing connection'))
        else if (standIn.mood === 'fails') done(refusal(451, '4.3.0 Local error in processing'))
        else done(null, '2.0.0 ok')
      })
    },
  })
  server.on('error', () => {})
  const standIn: StandIn = {
    way: { kind: 'smtp', host: '127.0.0.1', port: 0, security: 'none', username: 'x' },
    secret,
    gateway: null,
    mood: 'accepts',
    arrived: [],
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
  const listening = await new Promise<ReturnType<SMTPServer['listen']>>((resolve) => {
    const made = server.listen(0, '127.0.0.1', () => resolve(made))
  })
  const { port } = listening.address() as AddressInfo
  standIn.way = { kind: 'smtp', host: '127.0.0.1', port, security: 'none', username: 'x' }
  return standIn
}
