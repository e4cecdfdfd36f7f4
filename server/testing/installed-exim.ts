import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type InstalledProgram,
  installedProgram,
  mailsIn,
  quiet,
  type Running,
  writeCertificate,
} from './installed-mail-servers.ts'

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
  return installedProgram({
    name: 'exim4',
    run: (path, folder, port) => runExim(path, { folder, port, ...rules }),
  })
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
    received() {
      const input = join(folder, 'spool', 'input')
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
