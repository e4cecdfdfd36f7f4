import { LRUCache } from 'lru-cache'
import { PlanWords } from '../charge/plans/contract.ts'
import { wordsIn } from '../charge/plans/offers.ts'
import type { NewsletterRow } from '../http/scope.ts'
import type { Language } from '../languages.ts'
import { encodeValue } from '../mail/mime/quoted-printable.ts'
import { Placeholders } from '../mail/mime/segments.ts'
import type { WithRelays } from '../relays/relays.ts'
import { confirmToken } from '../subscribers/confirm.ts'
import {
  type Confirmation,
  type ConfirmationKind,
  type NamedPlan,
  renderConfirmation,
} from '../subscribers/confirmation.email.ts'
import type { ClaimedConfirmation, OpenedPlan } from '../subscribers/confirmation-queue.ts'
import { dayIn } from '../subscribers/leave.page.tsx'
import { type CompiledSystemMail, compileSystemMail } from './system-mail.ts'

/** Plans are entered with any number of ends. */
const MOST_COMPILED = 100

/** Renders the confirmation mail of a newsletter once for each kind, language, and plan with its end, when it is first wanted. */
export class CompiledConfirmations {
  readonly #mails = new LRUCache<string, Promise<CompiledSystemMail<ClaimedConfirmation>>>({ max: MOST_COMPILED })

  constructor(
    private readonly context: Pick<WithRelays, 'config' | 'db' | 'relays' | 'sealer' | 'signer'>,
    readonly newsletter: NewsletterRow,
  ) {}

  of(
    kind: ConfirmationKind,
    { language, opened }: Pick<ClaimedConfirmation, 'language' | 'opened'>,
  ): Promise<CompiledSystemMail<ClaimedConfirmation>> {
    const plan = kind === 'reads' && opened ? planOf(opened, this.newsletter, language) : null
    const name = plan ? `${kind} ${language} ${JSON.stringify(plan)}` : `${kind} ${language}`
    const known = this.#mails.get(name)
    if (known) return known
    const compiled = this.#compile({ kind, language, plan })
    this.#mails.set(name, compiled)
    compiled.catch(() => this.#mails.delete(name))
    return compiled
  }

  #compile({
    kind,
    language,
    plan,
  }: Pick<Confirmation, 'kind' | 'language' | 'plan'>): Promise<CompiledSystemMail<ClaimedConfirmation>> {
    const { context, newsletter } = this
    const { config, signer } = context
    const placeholders = new Placeholders<ClaimedConfirmation>()
    const token = () => placeholders.mark('token', (mail) => encodeValue(confirmToken(signer, mail)))
    const path = kind !== 'already' ? `confirm/${token()}` : `n/${newsletter.handle ?? newsletter.id}`
    const address = `${config.publicUrl}/${path}`
    const mail = renderConfirmation(config, { kind, newsletter, language, address, plan })
    return compileSystemMail(context, newsletter, { ...mail, placeholders, addressOf: ({ email }) => email })
  }
}

const planOf = ({ words, isPaid, until }: OpenedPlan, newsletter: NewsletterRow, language: Language): NamedPlan => ({
  name: wordsIn(PlanWords.parse(words), language).name,
  isPaid,
  until: until && dayIn({ newsletter, language }, new Date(until)),
})
