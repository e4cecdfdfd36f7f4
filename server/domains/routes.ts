import { AppError } from '../errors.ts'
import { Limit } from '../http/limits.ts'
import { on, type Route } from '../http/routes.ts'
import type { NewsletterRow } from '../http/scope.ts'
import type { WithRelays } from '../relays/relays.ts'
import * as contract from './contract.ts'
import { activateKey, removeKey, retireKey } from './dkim-keys.ts'
import { domainOf, presentDomain } from './domain.ts'
import { DomainChecks } from './domain-checks.ts'
import { makeKeys } from './make-dkim-keys.ts'

export function domainRoutes(context: WithRelays): Route[] {
  const { db, config, now } = context
  const checks = new DomainChecks(context)
  // Making an RSA key takes a tenth of a second of one core.
  const creations = new Limit(20, 3600)
  const presentChanged = (newsletter: NewsletterRow, keyExists: boolean) => {
    if (!keyExists) throw new AppError('dkim_key_not_found')
    checks.forget(newsletter)
    return presentDomain(context, newsletter)
  }
  return [
    on(contract.getDomain, ({ newsletter }) => presentDomain(context, newsletter)),
    on(contract.checkDomain, ({ newsletter, body }) => checks.check(newsletter, body.fresh)),
    on(contract.makeDomainKeys, async ({ newsletter, auditLine }) => {
      const { domain, kind } = domainOf(config, newsletter)
      auditLine?.note({ domain })
      if (kind !== 'own') throw new AppError('no_own_domain')
      await creations.take(newsletter.id)
      await makeKeys(context, newsletter.id, domain)
      return presentChanged(newsletter, true)
    }),
    on(contract.activateDomainKey, async ({ newsletter, params }) =>
      presentChanged(
        newsletter,
        await activateKey(db, { newsletterId: newsletter.id, keyId: params.keyId, now: now() }),
      ),
    ),
    on(contract.retireDomainKey, async ({ newsletter, params }) =>
      presentChanged(newsletter, await retireKey(db, { newsletterId: newsletter.id, keyId: params.keyId, now: now() })),
    ),
    on(contract.removeDomainKey, async ({ newsletter, params }) =>
      presentChanged(newsletter, await removeKey(db, { newsletterId: newsletter.id, keyId: params.keyId })),
    ),
  ]
}
