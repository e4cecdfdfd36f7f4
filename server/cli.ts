import { parseArgs } from 'node:util'
import { usageOf } from './command-usage.ts'
import { type Config, loadConfig } from './config.ts'
import { servedAddress } from './database/folder-lock.ts'
import { acceptedLanguage, defaultLanguage } from './languages.ts'
import type { Running, StartStep } from './main.ts'
import { RelayKind } from './relays/contract.ts'
import type { WithRelays } from './relays/relays.ts'
import { StartError } from './start-error.ts'
import { translator } from './translator.ts'
import { releaseYoungMemory } from './young-memory.ts'

const { env } = process
const t = translator(acceptedLanguage((env.LC_ALL || env.LC_MESSAGES || env.LANG || '').slice(0, 2), defaultLanguage))
const say = (line: string) => console.log(line)

/** Each loads what it needs: help, and a wrong word, are answered without the whole program. */
const commands: Record<string, (args: string[]) => Promise<void>> = {
  start: () => serve(env),
  work: () => serve({ ...env, ROLE: 'worker' }),
  migrate: migrateOnly,
  seed: seedDemo,
  doctor,
  relays,
  bounces,
  import: importFile,
  domain,
  sessions,
  outbox,
}

const LONGEST_STOP_MS = 15_000

async function serve(settings: NodeJS.ProcessEnv): Promise<void> {
  const stop = untilStop()
  sayStep('load')
  const { start } = await import('./main.ts')
  const running = await start(settings, ({ step, ...values }) => sayStep(step, values))
  releaseYoungMemory()
  announce(running)
  await stop
  say(t('cli.stopping'))
  const stuck = setTimeout(() => {
    console.error(t('cli.stuck', { seconds: LONGEST_STOP_MS / 1000 }))
    process.exit(1)
  }, LONGEST_STOP_MS)
  await running.stop()
  clearTimeout(stuck)
  say(t('cli.stopped'))
  process.exit(0)
}

const sayStep = (step: 'load' | StartStep['step'], values = {}): void => say(`  ${t(`cli.step.${step}`, values)}`)

function announce({ url, config, caught }: Running): void {
  say(config.processRole === 'worker' ? t('cli.working') : t('cli.ready', { url }))
  if (caught) say(t('cli.caught'))
  if (process.stdout.isTTY) say(t('cli.howToStop'))
}

/**
 * Resolves at a signal, or when the process that started us ends. npm passes on signals that a terminal has already sent to
 * all processes, so further ones are ignored.
 */
function untilStop(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve())
    process.once('disconnect', () => resolve())
    if (env.npm_lifecycle_event) watchParent(resolve)
  })
}

/** When npm is killed it passes no signal on, and this process gets another parent. */
function watchParent(gone: () => void): void {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid !== parent) gone()
  }, 200)
  timer.unref()
}

async function migrateOnly(): Promise<void> {
  const { migrate } = await import('./database/migrate.ts')
  await withDatabase(async (url) => {
    const applied = await migrate(url)
    say(applied.length > 0 ? t('cli.migrated', { count: applied.length }) : t('cli.upToDate'))
  })
}

/** The settings, with the address of the Tirage that is running on the same data folder where none was given. */
function configBeside(): Config {
  const config = loadConfig(env)
  const address = env.PUBLIC_URL || env.PORT ? null : servedAddress(config.dataDir)
  return address === null ? config : loadConfig({ ...env, PUBLIC_URL: address })
}

async function withDatabase(work: (url: string) => Promise<void>): Promise<void> {
  const config = loadConfig(env)
  if (config.databaseUrl) return work(config.databaseUrl)
  const { shareEmbeddedPostgres } = await import('./database/embedded.ts')
  const embedded = await shareEmbeddedPostgres({ dataDir: config.dataDir, log: { info: () => {}, warn: say } })
  await work(embedded.url).finally(() => embedded.stop())
}

async function seedDemo(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { subscribers: { type: 'string', default: '10000' } } })
  const subscribers = Number(values.subscribers)
  if (!Number.isInteger(subscribers) || subscribers < 1) {
    throw new StartError(t('cli.badNumber', { option: 'subscribers' }))
  }
  const { demoOwner, seed } = await import('./seed/seed.ts')
  await withDatabase(async (databaseUrl) => {
    await using begun = new AsyncDisposableStack()
    const { openContext } = await import('./main.ts')
    const context = await openContext({ ...configBeside(), databaseUrl }, begun)
    say(t('cli.seeding'))
    const { created, newsletters } = await seed(context, { subscribers })
    if (!created) return say(t('cli.seededBefore'))
    const names = newsletters.map(({ name }) => name).join(', ')
    const url = `${context.config.publicUrl}/login`
    say(t('cli.seeded', { newsletters: names, url, email: demoOwner.email, password: demoOwner.password }))
    if (context.config.host !== '127.0.0.1') say(t('cli.seedHurt', { url }))
  })
}

async function relays(args: string[]): Promise<void> {
  const { relaysCommand } = await import('./relays/command.ts')
  await withContext((context) => relaysCommand(context, args, { t, say }))
}

async function bounces(args: string[]): Promise<void> {
  const { bouncesCommand } = await import('./subscribers/command.ts')
  await withContext((context) => bouncesCommand(context, args, { t, say }))
}

async function importFile(args: string[]): Promise<void> {
  const { importCommand } = await import('./subscribers/import/command.ts')
  const stop = new AbortController()
  // A second one ends the process at once, and a process that serves goes on with what is left.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop.abort())
  const progress = (line: string | null) => {
    if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${line ?? ''}`)
  }
  await withContext(async (context) => {
    const cameToItsEnd = await importCommand(context, args, { t, say, progress, signal: stop.signal })
    if (!cameToItsEnd) process.exitCode = 1
  })
}

async function domain(args: string[]): Promise<void> {
  const { domainCommand } = await import('./domains/command.ts')
  await withContext((context) => domainCommand(context, args, { t, say }))
}

async function sessions(args: string[]): Promise<void> {
  const { sessionsCommand } = await import('./identity/command.ts')
  await withContext((context) => sessionsCommand(context, args, { t, say }))
}

async function outbox(args: string[]): Promise<void> {
  const [{ outboxCommand }, { Outbox, outboxFolder }] = await Promise.all([
    import('./relays/outbox-command.ts'),
    import('./relays/outbox.ts'),
  ])
  await outboxCommand(new Outbox(outboxFolder(loadConfig(env).dataDir)), args, { t, say })
}

async function withContext(work: (context: WithRelays) => Promise<void>): Promise<void> {
  await withDatabase(async (databaseUrl) => {
    const { openContext } = await import('./main.ts')
    await using begun = new AsyncDisposableStack()
    await work(await openContext({ ...configBeside(), databaseUrl }, begun))
  })
}

async function doctor(): Promise<void> {
  const { examine } = await import('./doctor.ts')
  const findings = await examine(env, t)
  const width = Math.max(...findings.map(({ about }) => about.length))
  for (const { state, about, finding } of findings) {
    say(`  ${t(`cli.doctor.${state}`).padEnd(6)}${about.padEnd(width + 2)}${finding}`)
  }
  const bad = findings.filter(({ state }) => state === 'bad').length
  say(bad > 0 ? t('cli.doctor.needsYou', { count: bad }) : t('cli.doctor.allGood'))
  process.exitCode = bad > 0 ? 1 : 0
}

const usage = (): string => {
  const addresses = RelayKind.options.map((kind) => t(`relays.address.${kind}`))
  return t('cli.usage', { addresses: addresses.join(`,\n${' '.repeat(28)}`) })
}

const asksForHelp = (word: string): boolean => ['--help', '-h'].includes(word)

const [name = 'help', ...args] = process.argv.slice(2)
const command = commands[name]

try {
  if (command && args.some(asksForHelp)) say(usageOf(usage(), name))
  else if (command) await command(args)
  else {
    if (name !== 'help' && !asksForHelp(name)) {
      console.error(t('cli.unknownCommand', { command: name }))
      process.exitCode = 1
    }
    say(usage())
  }
} catch (error) {
  console.error(error instanceof StartError ? error.message : error)
  process.exit(1)
}
