import { AppError } from '../errors.ts'
import type { WithRelays } from '../relays/relays.ts'
import { StartError } from '../start-error.ts'
import type { Translate } from '../translator.ts'
import { domainOf, presentDomain } from './domain.ts'
import { checkAndActivate } from './domain-checks.ts'
import { findingSentence } from './finding-sentence.ts'
import { makeKeys } from './make-dkim-keys.ts'

interface Terminal {
  t: Translate
  say(line: string): void
}

/**
 * `tirage domain`: the domain of the instance's own mail. It shows the DKIM keys with their records, and what DNS says; a key
 * whose record is seen begins to sign. `tirage domain keys` makes a pair of keys first.
 * @throws StartError for what cannot be done as asked
 */
export async function domainCommand(context: WithRelays, [act = 'show']: string[], terminal: Terminal): Promise<void> {
  const { t } = terminal
  if (act !== 'show' && act !== 'keys') throw new StartError(t('cli.unknownCommand', { command: `domain ${act}` }))
  if (act === 'keys') await make(context, t)
  await show(context, terminal)
}

async function make(context: WithRelays, t: Translate): Promise<void> {
  const { domain, kind } = domainOf(context.config, null)
  if (kind !== 'own') throw new StartError(t(`cli.domain.${kind}`, { domain }))
  await makeKeys(context, null, domain).catch((error: unknown) => {
    throw error instanceof AppError ? new StartError(t(`errors.${error.code}`, error.params)) : error
  })
}

async function show(context: WithRelays, { t, say }: Terminal): Promise<void> {
  // First, since it activates the keys whose records are there.
  const { kind, domain, findings } = await checkAndActivate(context, null)
  const { senderAddress, keys } = await presentDomain(context, null)
  say(t('cli.domain.sender', { address: senderAddress }))
  if (kind !== 'own') return say(t(`cli.domain.${kind}`, { domain }))
  if (keys.length === 0) say(t('cli.domain.noKeys'))
  for (const key of keys) {
    say(`  ${key.selector}, ${key.algorithm}: ${t(`domain.keys.${key.state}`)}`)
    if (key.state !== 'retired') say(`    ${key.record.zone}`)
  }
  for (const finding of findings) {
    say(`  ${t(`domain.short.${finding.check}`)}: ${findingSentence(finding, t)}`)
    for (const record of finding.set) say(`    ${record.zone}`)
  }
}
