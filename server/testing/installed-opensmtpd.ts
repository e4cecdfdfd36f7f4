import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type InstalledProgram, installedProgram, maildir, quiet, type Running } from './installed-mail-servers.ts'

/** Its queue and its control socket have fixed places, so it sees folders of ours there. All its processes end with it. */
const apart = ['--mount', '--pid', '--fork', '--kill-child']

/** Parts of smtpd.conf(5). */
export interface OpensmtpdRules {
  /** Lines before the listener: tables, limits, filters. A filter process has the path `FILTER`. */
  before?: string
  /** A script of sh that speaks smtpd's protocol for filters. */
  filter?: string
  /** More words of the listener. */
  listen?: string
  /** The mails that it takes; unless given, those to example.org. */
  match?: string
}

/** It refuses refused@example.org and defers later@example.org. */
export const opensmtpd: InstalledProgram = opensmtpdWith({
  before: `smtp max-message-size 10M
table refused { "refused@example.org" }
table later { "later@example.org" }
filter no phase rcpt-to match rcpt-to <refused> reject "550 5.1.1 nobody"
filter wait phase rcpt-to match rcpt-to <later> reject "450 4.2.1 later"
filter both chain { no, wait }`,
  listen: 'filter both',
})

/** An OpenSMTPD with rules of its own. It delivers what it takes to a maildir. */
export function opensmtpdWith(rules: OpensmtpdRules = {}): InstalledProgram {
  const program = installedProgram({
    name: 'smtpd',
    accounts: [
      ['passwd', 'opensmtpd'],
      ['passwd', 'opensmtpq'],
    ],
    prevented: () =>
      spawnSync('unshare', [...apart, 'mount', '--bind', '/run', '/run']).status === 0
        ? null
        : 'it cannot have a queue of its own',
    run: (path, folder, port) => runOpensmtpd(path, { folder, port, ...rules }),
  })
  return { ...program, name: 'OpenSMTPD' }
}

const inPlace = `set -e
mount --bind "$1/spool" /var/spool
mount --bind "$1/run" /run
exec "$2" -d -f "$1/smtpd.conf"`

interface Place {
  folder: string
  port: number
}

function runOpensmtpd(path: string, { folder, port, ...rules }: OpensmtpdRules & Place): Running {
  for (const each of ['spool', 'run', 'mail']) mkdirSync(join(folder, each))
  chmodSync(join(folder, 'mail'), 0o777)
  writeFileSync(join(folder, 'filter'), rules.filter ?? '', { mode: 0o755 })
  writeFileSync(join(folder, 'smtpd.conf'), smtpdConfig(rules, { folder, port }), { mode: 0o600 })
  return {
    server: spawn('unshare', [...apart, 'sh', '-c', inPlace, 'sh', folder, path], quiet),
    // It ignores others while its child runs.
    signal: 'SIGKILL',
    queue: ['incoming', 'queue'].map((each) => join(folder, 'spool', 'smtpd', each)),
    received: () => maildir(join(folder, 'mail')),
  }
}

const smtpdConfig = (
  { before = '', listen = '', match = 'for domain example.org' }: OpensmtpdRules,
  { folder, port }: Place,
): string => `${before.replaceAll('FILTER', join(folder, 'filter'))}
listen on 127.0.0.1 port ${port} hostname opensmtpd.test ${listen}
action deliver maildir "${folder}/mail" virtual { "@" = nobody }
match from any ${match} action deliver
`
