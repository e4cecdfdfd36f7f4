import type { Mutant } from './mutant.ts'

const digests = 'docs/decisions/digests.md'
const digestTests = ['server/digests/digests.test.ts']
const own = 'docs/decisions/own-page-links.md'
const ownTests = ['server/subscribers/own-page/own-page.test.ts']
const movedTests = ['server/subscribers/own-page/moved-mail.test.ts']
const imports = 'docs/import.md'
const importTests = ['server/subscribers/import/import.test.ts']
const modes = 'docs/decisions/privacy-modes.md'
const modeTests = ['server/links/privacy.test.ts']
const embed = 'docs/embedding.md'
const embedTests = ['server/subscribers/embed/embed.test.ts']

/** What subscribers choose, see and take with them, and how they come here. */
export const rightsMutants: Mutant[] = [
  {
    name: 'digests: each process makes them',
    promise: { in: digests, says: '**Exactly once.** A moment is a row' },
    file: 'server/digests/compose.ts',
    find: '!(await take(tx, run)) || ',
    replace: '',
    tests: digestTests,
  },
  {
    name: 'digests: what was in one is in the next',
    promise: { in: digests, says: 'nothing has to be taken back, and nothing is lost between two ways' },
    file: 'server/digests/compose.ts',
    find: `where i.newsletter_id = \${newsletterId} and i.digested_at is null and greatest`,
    replace: `where i.newsletter_id = \${newsletterId} and greatest`,
    tests: digestTests,
  },
  {
    name: 'digests: who changes their pace gets what waits at once',
    promise: { in: digests, says: 'Who changes their pace waits for the next moment' },
    file: 'server/digests/compose.ts',
    find: 'greatest(i.at, s.pace_at) <',
    replace: 'i.at <',
    tests: digestTests,
  },
  {
    name: 'digests: what is paused is in them',
    promise: { in: digests, says: 'Of a sending that was paused the publication waits for the digest after' },
    file: 'server/digests/compose.ts',
    find: "x.state in ('sending', 'sent')",
    replace: "x.state in ('sending', 'sent', 'paused')",
    tests: digestTests,
  },
  {
    name: 'digests: what waits for somebody who has paused is lost',
    promise: {
      in: 'server/digests/compose.ts',
      says: 'Who has paused meanwhile is in no digest, and what they wait for is not marked',
    },
    file: 'server/digests/compose.ts',
    find: 'from digest_due d join digest_reader r on r.id = d.subscriber_id\n',
    replace: 'from digest_due d\n',
    tests: digestTests,
  },
  {
    name: 'digests: what waits is lost when the owner stops them',
    promise: { in: digests, says: 'everybody gets every publication, and once more what waits' },
    file: 'server/digests/compose.ts',
    find: `'every') or not \${digests})`,
    replace: "'every'))",
    tests: digestTests,
  },
  {
    name: 'digests: one is sent to everybody',
    promise: { in: 'server/publications/publish.ts', says: 'wrong_status for a digest, which has its readers' },
    file: 'server/publications/publish.ts',
    find: "if (before.audience?.kind === 'digest') throw",
    replace: 'if (before.audience === undefined) throw',
    tests: digestTests,
  },
  {
    name: 'own page: a forwarded mail shows everything',
    promise: {
      in: own,
      says: 'Mails are forwarded, and such a link never expires. So it is not proof enough for everything.',
    },
    file: 'server/subscribers/own-page/routes.ts',
    find: 'if (!found?.fresh) return',
    replace: 'if (!found) return',
    tests: ownTests,
  },
  {
    name: 'own page: the second link never ends',
    promise: { in: own, says: 'one hour, and until the address changes' },
    file: 'server/subscribers/subscriber-links.ts',
    find: 'if (!fresh || fresh.until <= now) return false',
    replace: 'if (!fresh) return false',
    tests: ownTests,
  },
  {
    name: 'own page: fields that are an owner’s notes are shown',
    promise: { in: own, says: 'fields may be notes of an owner' },
    file: 'server/subscribers/own-page/kept.ts',
    find: 'and f.shown_to_subscriber order by',
    replace: 'order by',
    tests: ownTests,
  },
  {
    name: 'another address: what waits goes to the one before',
    promise: { in: own, says: 'What was planned for it goes to the new one' },
    file: 'server/sending/claims.ts',
    find: 'const one = { subscriberId, email: address,',
    replace: 'const one = { subscriberId, email,',
    tests: movedTests,
  },
  {
    name: 'another address: a bounce of the one before ends the subscription',
    promise: { in: own, says: 'a bounce of it says nothing of that' },
    file: 'server/subscribers/change.ts',
    find: 'and d.email <> l.email)',
    replace: 'and false)',
    tests: movedTests,
  },
  {
    name: 'another address: soft bounces of the one before count',
    promise: { in: own, says: 'a bounce of it says nothing of that' },
    file: 'server/feedback/feedback.ts',
    find: '      and d.email = s.email\n',
    replace: '',
    tests: movedTests,
  },
  {
    name: 'another address: a file brings the one before back',
    promise: { in: imports, says: 'and no address from which somebody has **moved**' },
    file: 'server/subscribers/own-page/move.ts',
    find: '      await rememberErased(tx, signer, { newsletterId: move.newsletterId, normalised: [move.from] })\n',
    replace: '',
    tests: movedTests,
  },
  {
    name: 'another address: a confirmation of the one before is taken',
    promise: {
      in: 'server/subscribers/confirm.ts',
      says: 'whoever reads the mail of an address from which the subscriber has moved confirms nothing',
    },
    file: 'server/subscribers/confirm.ts',
    find: 'mark === null || mark === markOf(signer, email)',
    replace: 'true',
    tests: ['server/subscribers/own-page/move.test.ts'],
  },
  {
    name: 'import: who is erased while they are added stays',
    promise: { in: imports, says: 'nor is anybody added who is erased or moves at that moment' },
    file: 'server/subscribers/import/erased-meanwhile.ts',
    find: '  if (rows.length > 0) throw new ErasedMeanwhile()\n',
    replace: '',
    tests: ['server/subscribers/import/erased-meanwhile.test.ts'],
  },
  {
    name: 'import: taken back, it takes who clicked',
    promise: { in: imports, says: 'were sent a letter, clicked or chose something since' },
    file: 'server/subscribers/import/traces.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of a file
    find: "when ${of('click')} or exists",
    replace: 'when exists',
    tests: importTests,
  },
  {
    name: 'import: taken back, it takes who got mail',
    promise: { in: imports, says: 'were sent a letter, clicked or chose something since' },
    file: 'server/subscribers/import/traces.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of a file
    find: 'where p.newsletter_id = s.newsletter_id and d.subscriber_id = s.id ${which})',
    replace: 'where false)',
    tests: importTests,
  },
  {
    name: 'import: taken back, it takes who the file says has left',
    promise: { in: imports, says: 'Whoever the file says has left, bounced or complained stays as such' },
    file: 'server/subscribers/import/traces.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of a file
    find: 'when ${!drops_left} and s.status in',
    replace: 'when false and s.status in',
    tests: importTests,
  },
  {
    name: 'import: taken back, it takes who opened or chose something',
    promise: { in: imports, says: 'were sent a letter, clicked or chose something since' },
    file: 'server/subscribers/import/traces.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of a file
    find: "or ${of('event')} or",
    replace: 'or',
    tests: importTests,
  },
  {
    name: 'import: taken back, it takes who said yes themselves',
    promise: { in: imports, says: 'were sent a letter, clicked or chose something since' },
    file: 'server/subscribers/import/traces.ts',
    find: 'or exists (select from consent c where',
    replace: 'or exists (select from consent c where false and',
    tests: importTests,
  },
  {
    name: 'import: who is suppressed is added',
    promise: { in: imports, says: 'Whoever **left, bounced, complained or is suppressed** here stays so' },
    file: 'server/subscribers/import/merge.ts',
    find: `      where not exists (select from suppression x where x.newsletter_id = \${newsletterId} and x.email_normalised = r.email_normalised)\n`,
    replace: '      where true\n',
    tests: importTests,
  },
  {
    name: 'import: who was erased is added',
    promise: { in: imports, says: 'Nobody who was **erased** comes back by a file' },
    file: 'server/subscribers/import/merge.ts',
    find: `        and not \${rowWasErased(signer, record)}\n`,
    replace: '',
    tests: importTests,
  },
  {
    name: 'import: the file’s values always win',
    promise: { in: imports, says: 'Somebody who is **here already** keeps what they have' },
    file: 'server/subscribers/import/merge.ts',
    find: "const replaces = choicesOf(record).existing === 'replace'",
    replace: 'const replaces = true',
    tests: importTests,
  },
  {
    name: 'privacy: who opens is kept although only their number may be',
    promise: { in: modes, says: 'The statement that stores decides' },
    file: 'server/links/opens.ts',
    find: "n.open_privacy = 'person' and f.subscriber_id",
    replace: 'f.subscriber_id',
    tests: modeTests,
  },
  {
    name: 'privacy: who clicked and waits to be counted is named, although only their number may be kept by then',
    promise: { in: 'server/links/store-clicks.ts', says: 'nobody is named whom a' },
    file: 'server/links/store-clicks.ts',
    find: "case when n.click_privacy = 'person' and c.subscriber_id is not null then",
    replace: 'case when c.subscriber_id is not null then',
    tests: ['server/links/waiting-clicks.test.ts'],
  },
  {
    name: 'privacy: off counts what older mails load',
    promise: { in: modes, says: 'their clicks are then counted without the person, or not at all' },
    file: 'server/links/opens.ts',
    find: "and n.open_privacy <> 'off'",
    replace: '',
    tests: modeTests,
  },
  {
    name: 'embed: a copied form with yesterday’s words is a yes',
    promise: { in: embed, says: 'the copied form is no yes: our page asks once more' },
    file: 'server/subscribers/subscribe-routes.ts',
    find: 'consent: consent !== null && !consent.stale,',
    replace: 'consent: consent !== null,',
    tests: embedTests,
  },
  {
    name: 'embed: scripts of other sites read answers with cookies',
    promise: { in: embed, says: '`Access-Control-Allow-Credentials` is never sent' },
    file: 'server/subscribers/embed/answer.ts',
    find: ".header('access-control-allow-origin', '*')",
    replace: ".header('access-control-allow-origin', '*').header('access-control-allow-credentials', 'true')",
    tests: embedTests,
  },
]
