export default {
  step: {
    load: 'Loading the program…',
    postgres: 'Starting its database, PostgreSQL, with its data in {{folder}}…',
    reach: 'Connecting to the database of DATABASE_URL…',
    migrate_one: 'Bringing the database up to date: {{count}} step…',
    migrate_other: 'Bringing the database up to date: {{count}} steps…',
    serve: 'Starting the server…',
  },
  ready: 'Tirage is ready: {{url}}',
  working: 'Tirage is working on jobs.',
  howToStop: 'Ctrl-C stops it.',
  caught: 'No relay is set (SMTP_URL): mail is caught in the outbox, and none of it leaves this machine.',
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
    restore ID --reason R   say how many, and with --yes make them active again
  import FILE               subscribers from a CSV file, by the steps of the page Imports
    --newsletter HANDLE     its handle or its id
    --origin ORIGIN         where they said yes: own_newsletter, event, customers, paper or other
    --words WORDS           how they said yes, in your words: they become those of the consent receipts
    --map COLUMN=FIELD      what a column becomes, when its name does not say so; as often as needed
    --encoding NAME         how the letters of the file are written, when what is found is wrong: windows-1250, koi8-r, shift_jis…
    --days day-first        which comes first in days such as 03/04/2025, when nothing in the file proves it; or month-first
    --tag NAME              for everybody; --existing fill|replace for those who are here already (fill)
    --dry-run               change nothing; --report FILE writes the rows with a remark (- prints them)
  sessions
    end ADDRESS             sign a person out everywhere
  outbox ADDRESS            the newest caught mail of the server itself to somebody: a sign-in link, a confirmation`,
  import: {
    missing:
      'Say which file, for which newsletter (--newsletter), where its people said yes (--origin) and how (--words). All options are listed by: npm run tirage -- help',
    wrong: {
      origin: '--origin must be own_newsletter, event, customers, paper or other.',
      words:
        '--words says on one line, in 20 to 1,000 characters, how these people said yes. They are kept in their consent receipts.',
      existing: '--existing must be fill or replace.',
      dayOrder: '--days must be day-first or month-first.',
      tag: '--tag must be a name of up to 60 characters.',
    },
    noNewsletter: 'There is no newsletter {{newsletter}}. There are: {{handles}}.',
    noFile: '{{file}} cannot be read as a file ({{why}}).',
    badMap: '--map {{given}} is not understood. Write COLUMN=FIELD, where FIELD is one of {{fields}}.',
    badEncoding: '--encoding {{given}} is not known. Choose one of {{encodings}}.',
    noColumn: 'There is no column “{{column}}”. There are: {{columns}}.',
    noAddress: 'No column looks like the address. Name it: --map COLUMN=email',
    read: 'Encoding {{encoding}}, delimiter {{delimiter}}, export of: {{tool}}. What the columns become (--map changes it):',
    lines_one: '{{count, number}} line read',
    lines_other: '{{count, number}} lines read',
    count: {
      added: 'new: {{count, number}}',
      here: 'here already, brought up to date: {{count, number}}',
      confirmed: 'of them, had not confirmed and count now: {{count, number}}',
      keptAway: 'kept away, by what the file says: {{count, number}}',
      leftOut: 'left out, since they left or were stopped here before: {{count, number}}',
      twins: 'same address as an earlier line, put together with it (earliest dates, all tags): {{count, number}}',
      refused: 'refused: {{count, number}}',
    },
    reason: '{{count, number}} × {{reason}}',
    line: 'line {{line}}, “{{cell}}”',
    report: 'The rows with a remark are in {{file}}.',
    dry: 'That was the dry run. Nothing was changed.',
    done: 'Imported. For {{days}} days it can be taken back on the page Imports.',
    progress: '{{what}}: {{percent}} %',
    stopping: 'Stopping. Whoever was added is removed again …',
    goesOn: 'The import is updating those who were here already, and can no longer be stopped. It goes on.',
    stopped: 'Stopped. Nobody was added.',
  },
  sessions: {
    whose: 'Whose sessions? tirage sessions end ADDRESS',
    nobody: 'There is no account with {{email}}.',
    ended_one: '{{count, number}} session of {{email}} has ended.',
    ended_other: '{{count, number}} sessions of {{email}} have ended.',
  },
  outbox: {
    whose: 'Whose mail? tirage outbox ADDRESS',
    none: 'No mail of this server to {{email}} is kept. With a relay it was sent, and is not caught.',
  },
  bounces: {
    none: 'No answer suppressed so many subscribers.',
    how: 'Repair the cause, then: tirage bounces restore ID --reason WHY',
    group_one: '{{count, number}} subscriber of {{newsletter}}: {{answer}}',
    group_other: '{{count, number}} subscribers of {{newsletter}}: {{answer}}',
    gone: 'says that the addresses do not exist',
    noGroup: 'There is no group {{id}}, or no longer: see tirage bounces.',
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
    set: 'set',
    stripe: 'Stripe',
    stripeNone: '{{newsletter}} has a paid plan and no account at Stripe: it sells what is paid outside only.',
    stripeRights: 'the key of {{newsletter}} lacks rights: {{rights}}. Check it again in Charge, Stripe.',
    stripeSilent: '{{newsletter}} has been connected for more than a day and has not heard of a single event.',
    stripeTest: '{{newsletter}} has a test key: no card is charged.',
    stripeGood: '{{newsletter}} charges cards.',
    stripeHidden: 'it cannot reach {{publicUrl}}, so it hears of no payment. Set PUBLIC_URL to a public address.',
    needsYou_one: '{{count}} thing needs you.',
    needsYou_other: '{{count}} things need you.',
    allGood: 'Everything that Tirage needs is there.',
    configuration: 'settings',
    configurationGood: 'read, and complete',
    database: 'database',
    databaseEmbedded: 'PostgreSQL {{version}}, embedded, in {{path}}',
    databaseYours: 'PostgreSQL {{version}} of DATABASE_URL',
    fsync: 'durability',
    fsyncOn: 'fsync is on: what was answered is on disk',
    fsyncOff: 'fsync is off: a power cut loses or breaks data; turn it on in postgresql.conf',
    storage: 'files',
    storageTried: 'written to, read from and removed from {{place}}',
    storageRefuses: '{{place}} refuses: {{reason}}',
    storageAway: '{{place}} does not answer: {{reason}}',
    folderFull: 'full: {{path}} takes no more than a few megabytes',
    folderReadOnly: '{{path}} takes no file',
    folderBusy: 'too many files are open to write to {{path}}',
    databaseReadOnly: 'PostgreSQL {{version}} only reads: it is a standby, or default_transaction_read_only is on',
    mail: 'mail',
    mailCaught: 'caught in the outbox; set SMTP_URL for real inboxes',
    mailReached: '{{host}} answers',
    mailAway: '{{host}} does not answer: {{reason}}',
    mailRelays_one: 'carried by {{count}} relay of this server (tirage relays): send yourself a test',
    mailRelays_other: 'carried by {{count}} relays of this server (tirage relays): send yourself a test',
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
    returnsSilent: 'to {{domain}} are taken in on port {{port}}, where nothing answers now: is Tirage running?',
    returnsElsewhere: 'to {{domain}} are taken in by another process: INBOUND_PORT is not set here',
    returnsNoMx: 'to {{domain}} never arrive: DNS has no MX record for it',
    publicUrl: 'address',
    publicUrlReached: '{{url}} answers',
    publicUrlAway: '{{url}} could not be reached from here: {{reason}}',
    publicUrlLocal: '{{url}}: only this machine can use it; set PUBLIC_URL',
    publicUrlPlain: '{{url}} is not https: one-click unsubscribe needs https',
    receipts: 'receipts',
    receiptsGood:
      'whole and in order: {{receipts, number}}, {{erased, number}} of them of erased subscribers; waiting to join them: {{waiting, number}} (read in {{seconds, number(maximumFractionDigits: 1)}} s)',
    receiptFault: {
      removed: '{{newsletter}}: the receipt at place {{position}} is gone ({{receipt}}), and nobody was erased',
      altered: '{{newsletter}}: receipt {{receipt}} at place {{position}} is not what it was',
      put_in_later: '{{newsletter}}: receipt {{receipt}} (place {{position}}) was put in later than its date says',
      never_chained: '{{newsletter}}: receipt {{receipt}} was written past Tirage: it is not in the chain',
      place_missing: '{{newsletter}}: place {{position}} of the chain is missing, and perhaps more after it',
      broken:
        '{{newsletter}}: place {{position}} (receipt {{receipt}}) does not follow from the one before: altered, exchanged or put in',
      end_missing: '{{newsletter}}: the chain reached place {{position}}, and its end is gone',
      end_added: '{{newsletter}}: from place {{position}} on, the chain was written past Tirage',
      checkpoint: '{{newsletter}}: the checkpoint at place {{position}} is not of this chain, or of another SECRET',
      more_one: '{{newsletter}}: and {{count, number}} more',
      more_other: '{{newsletter}}: and {{count, number}} more',
    },
    secret: 'secret',
    secretSet: 'given by SECRET',
    secretKept: 'kept in {{path}}: put it in your backups',
    space: 'disk',
    spaceFree: '{{gigabytes, number(maximumFractionDigits: 1)}} GB free for {{path}}',
    spaceShort: 'only {{gigabytes, number(maximumFractionDigits: 1)}} GB free for {{path}}; Tirage wants 1 GB',
    signIn: 'sign-in',
    signInMethods: 'password, link by mail',
    signInSet: '{{name}}: whether it accepts this client shows when somebody signs in',
    openIdFound: '{{name}} describes its endpoints',
    openIdOther: '{{name}}: {{address}} does not describe the provider of OIDC_ISSUER',
    openIdAway: '{{name}} does not describe its endpoints: {{reason}}',
  },
}
