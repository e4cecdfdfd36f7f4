import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { RelayConfig, RelayKind } from '../relays/contract.ts'
import { type Arrived, type Behaviour, type FakeProvider, parsedMail, plain } from './fake-provider.ts'
import { startFakeSmtp } from './fake-provider-smtp.ts'
import { portOf } from './port.ts'

interface Reply {
  status: number
  headers?: Record<string, string>
  body: unknown
}

type Replies = Record<Exclude<Behaviour, 'hangs up'>, Reply>
type Request = { headers: Record<string, string>; path: string; body: Buffer }

interface ProviderApi {
  config: RelayConfig
  secret: string
  replies: Replies
  read(seen: Request): Promise<Omit<Arrived, 'path' | 'requestHeaders'>>
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

/** Requests and answers as the providers’ references describe them. */
const apis: Record<Exclude<RelayKind, 'smtp'>, ProviderApi> = {
  ses: {
    config: { kind: 'ses', region: 'eu-west-3', accessKeyId: 'AKIDEXAMPLE0123456', configurationSet: 'tirage' },
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
        ...(await parsedMail(Buffer.from(Content.Raw.Data, 'base64'))),
        to: Destination.ToAddresses[0] ?? '',
        secret: headers.authorization ?? '',
        names: EmailTags ? Object.fromEntries(EmailTags.map(({ Name, Value }) => [Name, Value])) : null,
      }
    },
  },
  postmark: {
    config: { kind: 'postmark', messageStream: 'broadcast' },
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
    config: { kind: 'mailgun', domain: 'mg.lowwater.test', region: 'eu' },
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
        ...(await parsedMail(Buffer.from(await new Response(form.get('message')).arrayBuffer()))),
        to: String(form.get('to')),
        secret: Buffer.from((headers.authorization ?? '').replace('Basic ', ''), 'base64')
          .toString()
          .replace('api:', ''),
        names: names.length > 0 ? Object.fromEntries(names) : null,
      }
    },
  },
  resend: {
    config: { kind: 'resend' },
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

/** A fake provider on a free port of this machine: an HTTP API, or an SMTP server for `smtp`. */
export const startFakeProvider = (kind: RelayKind): Promise<FakeProvider> =>
  kind === 'smtp' ? startFakeSmtp() : startHttp(kind, apis[kind])

async function startHttp(kind: RelayKind, { config, secret, replies, read }: ProviderApi): Promise<FakeProvider> {
  const server = createServer((request, response) => void answer(request, response))
  const fake: FakeProvider = {
    config,
    secret,
    httpApi: null,
    behaviour: 'accepts',
    arrived: [],
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const headers = request.headers as Record<string, string>
    const path = (request.url ?? '').replace(`/gate/${kind}`, '')
    fake.arrived.push({
      ...(await read({ headers, path, body: Buffer.concat(chunks) })),
      path,
      requestHeaders: headers,
    })
    if (fake.behaviour === 'hangs up') return void request.socket.destroy()
    const reply = replies[fake.behaviour]
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers })
    response.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body))
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  fake.httpApi = `http://127.0.0.1:${portOf(server)}/gate`
  return fake
}
