import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type InstalledProgram,
  installedProgram,
  maildir,
  quiet,
  type Running,
  writeCertificate,
} from './installed-mail-servers.ts'

/** Delivers mail for example.org. It refuses refused@example.org and defers later@example.org. */
export const postfix: InstalledProgram = postfixWith(`smtpd_recipient_restrictions = check_recipient_access
  inline:{{refused@example.org=550 5.1.1 nobody}, {later@example.org=450 4.2.1 later}}
smtpd_tls_security_level = may
`)

/** A Postfix that delivers mail for example.org to a maildir, with further settings (postconf(5)), which may replace its own. */
export function postfixWith(settings: string): InstalledProgram {
  return installedProgram({
    name: 'postfix',
    accounts: [
      ['passwd', 'postfix'],
      ['group', 'postdrop'],
    ],
    run: (path, folder, port) => runPostfix(path, { folder, port, settings }),
  })
}

function runPostfix(
  path: string,
  { folder, port, settings }: { folder: string; port: number; settings: string },
): Running {
  const config = join(folder, 'settings')
  for (const each of ['settings', 'queue', 'mail']) mkdirSync(join(folder, each))
  chmodSync(join(folder, 'mail'), 0o777)
  writeCertificate(folder, 0o600)
  writeFileSync(join(config, 'main.cf'), `${mainSettings(folder)}${settings}`)
  writeFileSync(join(config, 'master.cf'), services(port))
  return {
    server: spawn(path, ['-c', config, 'start-fg'], quiet),
    end: () => spawn(path, ['-c', config, 'stop'], quiet),
    queue: ['incoming', 'active', 'deferred'].map((each) => join(folder, 'queue', each)),
    received: () => maildir(join(folder, 'mail', 'all')),
  }
}

/** Its own host is no trusted network, so its limits and restrictions hold for us as they would for a stranger. */
const mainSettings = (folder: string): string => `compatibility_level = 3.6
queue_directory = ${folder}/queue
data_directory = ${folder}/data
maillog_file = ${folder}/log
maillog_file_prefixes = ${tmpdir()}
myhostname = postfix.test
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks =
mydestination =
alias_maps =
virtual_mailbox_domains = example.org
virtual_mailbox_base = ${folder}/mail
virtual_mailbox_maps = static:all/
virtual_uid_maps = static:65534
virtual_gid_maps = static:65534
smtpd_tls_cert_file = ${folder}/certificate.pem
smtpd_tls_key_file = ${folder}/key.pem
`

const services = (port: number): string => `127.0.0.1:${port} inet n - n - - smtpd
anvil unix - - n - 1 anvil
bounce unix - - n - 0 bounce
cleanup unix n - n - 0 cleanup
error unix - - n - - error
postlog unix-dgram n - n - 1 postlogd
proxymap unix - - n - - proxymap
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
tlsmgr unix - - n 1000? 1 tlsmgr
verify unix - - n - 1 verify
virtual unix - n n - - virtual
`
