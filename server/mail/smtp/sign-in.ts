import type { Credentials } from './address.ts'
import type { Reply } from './replies.ts'

/** Sends a line to the relay and resolves to its answer. */
type Ask = (line: string) => Promise<Reply>

type Mechanism = (ask: Ask, credentials: Credentials) => Promise<Reply>

/** The longest command line without its end (RFC 5321 section 4.5.3.1.4). */
const MAX_COMMAND = 510

/** RFC 4616: an empty name to act for, the user, the password. */
const plain: Mechanism = (ask, credentials) => withResponse(ask, 'PLAIN', base64(plainText(credentials)))
const plainText = ({ user, secret }: Credentials): string => `\0${user}\0${secret}`

const login: Mechanism = async (ask, { user, secret }) => {
  let reply = await ask('AUTH LOGIN')
  for (const answer of [user, secret]) if (reply.code === 334) reply = await ask(base64(answer))
  return reply
}

const bearerText = ({ user, secret }: Pick<Credentials, 'user' | 'secret'>): string =>
  `user=${user}\x01auth=Bearer ${secret}\x01\x01`

/** Google’s and Microsoft’s mechanism for OAuth 2 tokens. A refusal is JSON, and an empty line must answer it. */
const xoauth2: Mechanism = async (ask, { user, secret }) => {
  const reply = await withResponse(ask, 'XOAUTH2', base64(bearerText({ user, secret })))
  if (reply.code !== 334) return reply
  const { code, lines } = await ask('')
  const reason = Buffer.from(reply.lines[0] ?? '', 'base64').toString()
  return { code, lines: [...lines, reason] }
}

async function withResponse(ask: Ask, name: string, response: string): Promise<Reply> {
  const command = `AUTH ${name} ${response}`
  // A longer first response must wait until the relay asks for it (RFC 4954 section 4).
  if (command.length <= MAX_COMMAND) return ask(command)
  const reply = await ask(`AUTH ${name}`)
  return reply.code === 334 ? ask(response) : reply
}

const mechanisms: [string, Credentials['kind'], Mechanism][] = [
  ['PLAIN', 'password', plain],
  ['LOGIN', 'password', login],
  ['XOAUTH2', 'token', xoauth2],
]

/**
 * Signs in with the first mechanism that both sides know (RFC 4954).
 *
 * @returns null, or the relay's answer when it refuses
 * @throws Error when there is no mechanism that both sides know
 */
export async function signIn(ask: Ask, offered: string[], credentials: Credentials): Promise<Reply | null> {
  const known = mechanisms.find(([name, kind]) => kind === credentials.kind && offered.includes(name))
  if (!known) {
    const names = offered.length === 0 ? 'none' : offered.join(', ')
    throw new Error(`The relay offers no way to sign in with a ${credentials.kind} (it offers ${names})`)
  }
  const hide = hiding(credentials)
  try {
    const { code, lines } = await known[2](ask, credentials)
    return code === 235 ? null : { code, lines: lines.map(hide) }
  } catch (error) {
    // The same error is thrown again, because it has a code.
    if (error instanceof Error) error.message = hide(error.message)
    throw error
  }
}

/** A shorter secret is a part of too many words. */
const LEAST_HIDDEN = 6

/** Removes secrets. Some servers repeat what they do not understand, and more people than the owner see a relay's answer. */
function hiding(credentials: Credentials): (text: string) => string {
  const { secret } = credentials
  const secrets = [base64(plainText(credentials)), base64(bearerText(credentials)), base64(secret), secret]
  const hidden = secrets.filter(({ length }) => length >= LEAST_HIDDEN)
  return (text) => hidden.reduce((rest, each) => rest.replaceAll(each, '…'), text)
}

const base64 = (text: string): string => Buffer.from(text).toString('base64')
