export default {
  ready: 'Tirage is ready: {{url}}',
  working: 'Tirage is working on jobs.',
  howToStop: 'Ctrl-C stops it.',
  caught: 'No relay is set (SMTP_URL): mail is caught in the outbox and leaves this machine by no way.',
  stopping: 'Stopping…',
  stopped: 'Stopped.',
  stuck: 'Some parts did not stop in {{seconds}} s and were left.',
  migrated_one: '{{count}} migration applied.',
  migrated_other: '{{count}} migrations applied.',
  upToDate: 'The database is up to date.',
  unknownCommand: 'There is no command “{{command}}”.',
  badNumber: '--{{option}} must be a whole number greater than 0.',
  usage: `Usage: npm run tirage -- COMMAND

  start                     serve, work and print where (the same as npm start)
  work                      only work: jobs and sending, as with ROLE=worker
  migrate                   bring the database up to date and end
  seed [--subscribers N]    write a demo newsletter with N subscribers (10000)
  doctor                    say what is configured, reachable and missing
  relays                    the relays of this whole server, for newsletters without their own
    add NAME ADDRESS        {{addresses}}; - reads the address from standard input
    set ID                  --name --weight --connections --per-second --per-hour N (or none)
                            --warm-up --enabled on|off
    remove ID
    domain NAME             --per-second --per-hour N: a limit for a recipient domain; without them, none any more
  domain                    the sender of this server’s own mail, its DKIM keys and what DNS says of it
    keys                    make a pair of keys for it, and show the records to set
  bounces [--at-least N]    bounced subscribers by newsletter and answer, groups of N or more (2)
    restore ID --reason R   say how many, and with --yes make them active again`,
  bounces: {
    none: 'No answer suppressed so many subscribers.',
    how: 'Repair the cause, then: tirage bounces restore ID --reason WHY',
    group_one: '{{count, number}} subscriber of {{newsletter}}: {{answer}}',
    group_other: '{{count, number}} subscribers of {{newsletter}}: {{answer}}',
    gone: 'says that the addresses do not exist',
    noGroup: 'There is no group {{id}} (any more): look at tirage bounces.',
    whyMissing: 'Say why with --reason: it is kept in the audit and shown on each timeline.',
    sure_one: 'With --yes, {{count, number}} subscriber gets mail again. Nothing was changed.',
    sure_other: 'With --yes, {{count, number}} subscribers get mail again. Nothing was changed.',
    restored_one: '{{count, number}} subscriber gets mail again.',
    restored_other: '{{count, number}} subscribers get mail again.',
    unsubscribed_one: '{{count, number}} had unsubscribed before and stays so.',
    unsubscribed_other: '{{count, number}} had unsubscribed before and stay so.',
  },
  relays: {
    none: 'This server has no relays but that of SMTP_URL.',
    weight: 'weight {{weight}}',
    perSecond: '{{number}} a second',
    perHour: '{{number}} an hour',
    warmUp: 'warming up',
    off: 'switched off',
    resting: 'resting: {{answer}}',
  },
  domain: {
    sender: 'Sign-in links and invitations come from {{address}} (MAIL_FROM).',
    noKeys: '  They are not signed yet: npm run tirage -- domain keys',
    local: 'No name server outside knows {{domain}}: set MAIL_FROM to an address in a domain of your own.',
    free_mail: '{{domain}} belongs to its provider: set MAIL_FROM to an address in a domain of your own.',
  },
  seeding: 'Writing a demo…',
  seeded: '{{newsletters}} are there. Sign in at {{url}} as {{email}} with the password {{password}}.',
  seededBefore: 'The demo is already there: nothing was written.',
  seedHurt: 'Anyone who reaches {{url}} can sign in with that password: keep the demo to yourself.',
  doctor: {
    good: 'good',
    note: 'note',
    bad: 'BAD',
    needsYou_one: '{{count}} thing needs you.',
    needsYou_other: '{{count}} things need you.',
    allGood: 'Everything that Tirage needs is there.',
    configuration: 'settings',
    configurationGood: 'read, and whole',
    database: 'database',
    databaseEmbedded: 'PostgreSQL {{version}}, embedded, in {{path}}',
    databaseYours: 'PostgreSQL {{version}} of DATABASE_URL',
    fsync: 'durability',
    fsyncOn: 'fsync is on: what was answered is on disk',
    fsyncOff: 'fsync is off: a power cut loses or breaks data; turn it on in postgresql.conf',
    storage: 'files',
    storageFolder: '{{path}} can be written to',
    storageRemote: 'kept in {{place}} (STORAGE_URL)',
    mail: 'mail',
    mailCaught: 'caught in the outbox; set SMTP_URL for real inboxes',
    mailReached: '{{host}} answers',
    mailAway: '{{host}} does not answer: {{reason}}',
    mailRelays_one: 'carried by {{count}} relay of this server (tirage relays)',
    mailRelays_other: 'carried by {{count}} relays of this server (tirage relays)',
    relays: 'relays',
    relaysOwn_one: '{{count}} of a newsletter’s own',
    relaysOwn_other: '{{count}} of newsletters’ own',
    relayRests: '{{name}} rests: {{answer}}',
    sender: 'sender',
    sender_local: '{{address}}: no name server outside knows that domain; set MAIL_FROM',
    sender_free_mail: '{{address}} belongs to its provider, and receivers refuse it from others; set MAIL_FROM',
    returns: 'bounces',
    returnsNowhere: 'go to the sender’s address, where nobody counts them; set BOUNCE_DOMAIN',
    returnsHere: 'to {{domain}} are taken in on port {{port}}',
    returnsElsewhere: 'to {{domain}} are taken in by another process: INBOUND_PORT is not set here',
    returnsNoMx: 'to {{domain}} never arrive: DNS has no MX record for it',
    publicUrl: 'address',
    publicUrlSecure: '{{url}}',
    publicUrlLocal: '{{url}}: only this machine can use it; set PUBLIC_URL',
    publicUrlPlain: '{{url}} is not https: one-click unsubscribe needs https',
    secret: 'secret',
    secretSet: 'given by SECRET',
    secretKept: 'kept in {{path}}: put it in your backups',
    space: 'disk',
    spaceFree: '{{gigabytes, number(maximumFractionDigits: 1)}} GB free for {{path}}',
    spaceShort: 'only {{gigabytes, number(maximumFractionDigits: 1)}} GB free for {{path}}; Tirage wants 1 GB',
    signIn: 'sign-in',
    signInMethods: 'password, link by mail{{others}}',
  },
}
