import { AppError } from '../errors.ts'
import { Limit } from '../http/limits.ts'
import { on, type Route } from '../http/routes.ts'
import type { NewsletterRow } from '../http/scope.ts'
import type { WithRelays } from '../relays/relays.ts'
import * as contract from './contract.ts'
import { domainOf, presentDomain } from './domain.ts'
import { DomainChecks } from './domain-checks.ts'
import { activateKey, removeKey, retireKey } from './keys.ts'
import { makeKeys } from './make-keys.ts'

export function domainRoutes(context: WithRelays): Route[] {
  const { db, config, now } = context
  const looks = new DomainChecks(context)
  // An RSA key costs a tenth of a second of a core.
  const makings = new Limit(20, 3600)
  const changed = (newsletter: NewsletterRow, there: boolean) => {
    if (!there) throw new AppError('dkim_key_not_found')
    looks.forget(newsletter)
    return presentDomain(context, newsletter)
  }
  return [
    on(contract.getDomain, ({ newsletter }) => presentDomain(context, newsletter)),
    on(contract.checkDomain, ({ newsletter, body }) => looks.check(newsletter, body.fresh)),
    on(contract.makeDomainKeys, async ({ newsletter }) => {
      const { domain, kind } = domainOf(config, newsletter)
      if (kind !== 'own') throw new AppError('no_own_domain')
      await makings.take(newsletter.id)
      await makeKeys(context, newsletter.id, domain)
      return changed(newsletter, true)
    }),
    on(contract.activateDomainKey, async ({ newsletter, params }) =>
      changed(newsletter, await activateKey(db, newsletter.id, params.keyId, now())),
    ),
    on(contract.retireDomainKey, async ({ newsletter, params }) =>
      changed(newsletter, await retireKey(db, newsletter.id, params.keyId, now())),
    ),
    on(contract.removeDomainKey, async ({ newsletter, params }) =>
      changed(newsletter, await removeKey(db, newsletter.id, params.keyId)),
    ),
  ]
}
