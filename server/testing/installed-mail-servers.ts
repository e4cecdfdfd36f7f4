import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { certificate, key } from './certificate.ts'

/** A mail server that is installed on this machine, run for one test in a folder of its own. */
export interface RunningServer {
  port: number
  /** Every mail that it accepted. */
  received(): Received[]
  stop(): Promise<void>
}

export interface Received {
  to: string
  /** The body, its lines ended by LF. */
  text: string
}

export interface InstalledProgram {
  name: string
  /** Why it cannot be run here; null when it can. */
  missing: string | null
  start(): Promise<RunningServer>
}

const places = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin', '/sbin']

const findProgram = (name: string): string | null =>
  places.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null

const isRoot = process.getuid?.() === 0

/** @param name of the program, as its package calls it */
function installedProgram(
  name: string,
  run: (program: string, folder: string, port: number) => Running,
): InstalledProgram {
  const program = findProgram(name)
  const missing = program ? (isRoot ? null : 'it has to be started by root') : 'it is not installed'
  return { name, missing, start: () => start(program as string, run) }
}

interface Running {
  server: ChildProcess
  received(): Received[]
  /** When ending the process is not enough. */
  end?: () => ChildProcess
}

async function start(
  program: string,
  run: (program: string, folder: string, port: number) => Running,
): Promise<RunningServer> {
  const folder = mkdtempSync(join(tmpdir(), 'relay-'))
  chmodSync(folder, 0o755)
  const port = await freePort()
  const { server, received, end } = run(program, folder, port)
  const stop = async () => {
    if (end) await once(end(), 'exit')
    else server.kill()
    if (server.exitCode === null && server.signalCode === null) await once(server, 'exit')
    rmSync(folder, { recursive: true, force: true })
  }
  for (let tries = 0; !(await listens(port)); tries++) {
    if (tries < 200 && server.exitCode === null) await sleep(50)
    else return stop().then(() => Promise.reject(new Error(`${program} does not listen`)))
  }
  return { port, received, stop }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}

const quiet = { stdio: 'ignore' } as const

/** Postfix's own stand-in for a relay. @param options as its manual says */
export const smtpSink = (...options: string[]): InstalledProgram => {
  const program = installedProgram('smtp-sink', (path, folder, port) => ({
    server: spawn(path, [...options, '-u', 'root', '-d', join(folder, 'mail-'), `127.0.0.1:${port}`, '100'], quiet),
    received: () => mailsIn(folder, (mail) => ({ to: /^X-Rcpt-Args: <(.+?)>/m.exec(mail)?.[1], text: bodyOf(mail) })),
  }))
  return { ...program, name: ['smtp-sink', ...options].join(' ') }
}

/**
 * Accepts mail and keeps it in its queue. It refuses addresses that begin with `refused` and defers those that begin with
 * `later`. The login is ada:secret.
 */
export const exim: InstalledProgram = eximWith({
  recipients: `
  deny message = 5.1.1 nobody
       condition = \${if match{$local_part}{^refused}}
  defer message = 4.2.1 later
       condition = \${if match{$local_part}{^later}}
  accept`,
})

/** An Exim with rules of its own for recipients (an access control list of its manual); with settings, without TLS. */
export function eximWith(rules: { recipients: string; settings?: string }): InstalledProgram {
  return installedProgram('exim4', (path, folder, port) => runExim(path, { folder, port, ...rules }))
}

function runExim(
  path: string,
  { folder, port, recipients, settings = '' }: { folder: string; port: number; recipients: string; settings?: string },
): Running {
  for (const each of ['spool', 'log']) mkdirSync(join(folder, each))
  for (const each of ['', 'spool', 'log']) chmodSync(join(folder, each), 0o777)
  writeCertificate(folder, 0o644)
  const config = join(folder, 'exim.conf')
  writeFileSync(config, eximConfig(folder, recipients, settings), { mode: 0o644 })
  return {
    server: spawn(path, ['-C', config, '-bdf', '-oX', `127.0.0.1.${port}`], quiet),
    received: () => {
      const input = join(folder, 'spool', 'input')
      // Exim makes it with the first mail.
      if (!existsSync(input)) return []
      return mailsIn(input, (head, name) => {
        if (!name.endsWith('-H')) return null
        const text = readFileSync(join(input, name.replace(/H$/, 'D')), 'latin1')
        return { to: /^\S+@example\.org$/m.exec(head)?.[0], text: text.slice(text.indexOf('\n') + 1) }
      })
    },
  }
}

const eximTls = (folder: string): string => `smtp_accept_max = 100
tls_advertise_hosts = *
tls_certificate = ${folder}/certificate.pem
tls_privatekey = ${folder}/key.pem`

const eximConfig = (folder: string, recipients: string, settings: string): string => `primary_hostname = exim.test
spool_directory = ${folder}/spool
log_file_path = ${folder}/log/%slog
pid_file_path = ${folder}/pid
local_interfaces = 127.0.0.1
queue_only
keep_environment =
host_lookup =
rfc1413_query_timeout = 0s
message_size_limit = 1M
smtp_accept_queue_per_connection = 0
auth_advertise_hosts = *
acl_smtp_rcpt = check_rcpt
acl_smtp_data = accept
${settings || eximTls(folder)}
begin acl
check_rcpt:${recipients}
begin authenticators
plain:
  driver = plaintext
  public_name = PLAIN
  server_prompts = :
  server_condition = \${if and{{eq{$auth2}{ada}}{eq{$auth3}{secret}}}}
  server_set_id = $auth2
`

/** Accepts mail and holds it. It refuses refused@example.org and defers later@example.org. */
export const postfix: InstalledProgram = installedProgram('postfix', (path, folder, port) => {
  const settings = join(folder, 'settings')
  for (const each of ['settings', 'queue']) mkdirSync(join(folder, each))
  writeCertificate(folder, 0o600)
  writeFileSync(join(settings, 'main.cf'), postfixMain(folder))
  writeFileSync(join(settings, 'master.cf'), postfixMaster(port))
  return {
    server: spawn(path, ['-c', settings, 'start-fg'], quiet),
    end: () => spawn(path, ['-c', settings, 'stop'], quiet),
    received: () => mailsIn(join(folder, 'queue', 'hold'), queueFile),
  }
})

const postfixMain = (folder: string): string => `compatibility_level = 3.6
queue_directory = ${folder}/queue
data_directory = ${folder}/data
maillog_file = ${folder}/log
maillog_file_prefixes = ${tmpdir()}
myhostname = postfix.test
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks = 127.0.0.0/8
alias_maps =
smtpd_tls_security_level = may
smtpd_tls_cert_file = ${folder}/certificate.pem
smtpd_tls_key_file = ${folder}/key.pem
smtpd_recipient_restrictions = check_recipient_access
  inline:{{refused@example.org=550 5.1.1 nobody}, {later@example.org=450 4.2.1 later}}, permit_mynetworks, reject
smtpd_data_restrictions = check_client_access static:HOLD
`

const postfixMaster = (port: number): string => `127.0.0.1:${port} inet n - n - - smtpd
anvil unix - - n - 1 anvil
bounce unix - - n - 0 bounce
cleanup unix n - n - 0 cleanup
postlog unix-dgram n - n - 1 postlogd
proxymap unix - - n - - proxymap
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
tlsmgr unix - - n 1000? 1 tlsmgr
`

function writeCertificate(folder: string, mode: number): void {
  writeFileSync(join(folder, 'certificate.pem'), certificate)
  writeFileSync(join(folder, 'key.pem'), key, { mode })
}

type Mail = { to: string | undefined; text: string } | null

function mailsIn(folder: string, read: (content: string, name: string) => Mail): Received[] {
  const mails = readdirSync(folder).map((name) => read(readFileSync(join(folder, name), 'latin1'), name))
  return mails.filter((mail) => mail !== null).map(({ to = '', text }) => ({ to, text }))
}

const bodyOf = (mail: string): string => mail.slice(mail.indexOf('\n\n') + 2)

/** A file of Postfix's queue: records of a letter, a length and as many bytes. */
function queueFile(content: string): Mail {
  let to: string | undefined
  let text = ''
  for (let at = 0; at < content.length; ) {
    const kind = content[at]
    let length = 0
    for (let shift = 0, more = true; more; shift += 7) {
      at += 1
      const digit = content.charCodeAt(at)
      length |= (digit & 127) << shift
      more = digit > 127
    }
    const value = content.slice(at + 1, at + 1 + length)
    if (kind === 'R') to = value
    if (kind === 'N') text += `${value}\n`
    at += 1 + length
  }
  return { to, text: bodyOf(text) }
}
