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
    add NAME ADDRESS        smtps://user:password@host, ses://KEY:SECRET@region, postmark://TOKEN@stream,
                            mailgun://KEY@domain?region=eu, resend://KEY@; - reads the address from standard input
    set ID                  --name --weight --connections --per-second --per-hour N (or none)
                            --warm-up --enabled on|off
    remove ID
    domain NAME             --per-second --per-hour N: a limit for a recipient domain; without them, none any more`,
  relays: {
    none: 'This server has no relays but that of SMTP_URL.',
    weight: 'weight {{weight}}',
    perSecond: '{{number}} a second',
    perHour: '{{number}} an hour',
    warmUp: 'warming up',
    off: 'switched off',
    resting: 'resting: {{answer}}',
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
