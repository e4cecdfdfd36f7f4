import type { NewsletterRow } from '../http/scope.ts'
import type { Language } from '../languages.ts'
import { encodeValue } from '../mail/mime/quoted-printable.ts'
import { Placeholders } from '../mail/mime/segments.ts'
import type { WithRelays } from '../relays/relays.ts'
import { confirmToken } from '../subscribers/confirm.ts'
import { type ConfirmationKind, renderConfirmation } from '../subscribers/confirmation.email.ts'
import type { ClaimedConfirmation } from '../subscribers/confirmation-queue.ts'
import { type CompiledSystemMail, compileSystemMail } from './system-mail.ts'

/** Renders the confirmation mail of a newsletter once for each kind and language, when it is first wanted. */
export class CompiledConfirmations {
  readonly #mails = new Map<string, Promise<CompiledSystemMail<ClaimedConfirmation>>>()

  constructor(
    private readonly context: Pick<WithRelays, 'config' | 'db' | 'relays' | 'sealer' | 'signer'>,
    readonly newsletter: NewsletterRow,
  ) {}

  of(kind: ConfirmationKind, language: Language): Promise<CompiledSystemMail<ClaimedConfirmation>> {
    const name = `${kind} ${language}`
    const known = this.#mails.get(name)
    if (known) return known
    const compiled = this.#compile(kind, language)
    this.#mails.set(name, compiled)
    compiled.catch(() => this.#mails.delete(name))
    return compiled
  }

  #compile(kind: ConfirmationKind, language: Language): Promise<CompiledSystemMail<ClaimedConfirmation>> {
    const { context, newsletter } = this
    const { config, signer } = context
    const placeholders = new Placeholders<ClaimedConfirmation>()
    const token = () => placeholders.mark('token', (mail) => encodeValue(confirmToken(signer, mail)))
    const path = kind !== 'already' ? `confirm/${token()}` : `n/${newsletter.handle ?? newsletter.id}`
    const address = `${config.publicUrl}/${path}`
    const mail = renderConfirmation(config, { kind, newsletter, language, address })
    return compileSystemMail(context, newsletter, { ...mail, placeholders, addressOf: ({ email }) => email })
  }
}
