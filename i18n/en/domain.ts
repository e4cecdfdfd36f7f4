export default {
  lead: 'Before Gmail and the others take your mail, they look up whether it really comes from you. They look in DNS, the public settings of your domain, which you change where you rented it. The records below answer for you; each is set there once.',
  notShown: 'Owners and editors of this newsletter see its domain.',
  again: 'Check again',
  looked: 'Looked at {{time}}',
  section: 'What DNS says of {{domain}}',
  overall: {
    ready:
      '{{domain}} has what Gmail and Yahoo ask of everybody who sends much: SPF, DKIM and DMARC are in order, and each mail can be left with one click.',
    lacking:
      'Gmail and Yahoo ask for SPF, DKIM and DMARC from everybody who sends much. Still open for {{domain}}: {{list}}.',
    refused:
      'Receivers will refuse this mail or file it as spam: the policy of {{domain}} tells them to, since nothing yet proves that it is yours. Mend what is marked below before you send.',
    unsure: 'Nothing was found wrong with {{domain}}, but not everything could be seen from here.',
    free_mail:
      'Addresses at {{domain}} belong to its provider. By DMARC, receivers refuse newsletters that others send in its name, or file them as spam.',
    local: 'Mail comes from {{address}}, and no name server outside knows that domain.',
  },
  instead:
    'Use a sender address in a domain of your own. Replies may still go to the address you have: put it under “Replies go to”.',
  toSender: 'Sender settings',
  state: { good: 'In order', missing: 'Missing', wrong: 'Wrong', unknown: 'Not known' },
  check: {
    spf: 'SPF: who may send in your name',
    dkim: 'DKIM: the signature on each mail',
    dmarc: 'DMARC: what happens to mail that is not yours',
    mx: 'MX: where answers and bounces arrive',
    ptr: 'PTR: the name of the sending server',
  },
  short: { spf: 'SPF', dkim: 'DKIM', dmarc: 'DMARC', mx: 'MX', ptr: 'PTR' },
  reason: {
    spf_covers: 'The record lets {{place}} send.',
    spf_none:
      '{{domain}} has no SPF record yet. The help of your relay, the mail server that sends for you, says which one to set.',
    spf_none_set: '{{domain}} has no SPF record yet. Set the one below.',
    spf_several:
      'There are {{count}} SPF records. Receivers then heed none of them: put one in their place that says what all of them say.',
    spf_syntax: 'Receivers cannot read “{{term}}” in the record of {{domain}}, and so heed none of it.',
    spf_lookups:
      'The record takes {{count}} DNS lookups, and receivers stop after 10. Remove an include that you no longer need, or write addresses in its place.',
    spf_voids: 'The record names {{count}} hosts that do not exist, and receivers stop after 2. Remove them.',
    spf_include_none:
      'The record includes {{domain}}, which has no single SPF record of its own. Remove or correct that.',
    spf_everybody: 'The record ends with “+all”: it lets anybody send in your name. End it with “~all”.',
    spf_not_covered: 'There is a record, but it does not let {{place}} send. Add what is missing; keep the rest.',
    spf_cannot_tell:
      'There is a record that can be read. Whether it covers the addresses that {{place}} sends from cannot be seen from here: ask them what to include.',
    spf_provider:
      'There is a record that can be read. {{place}} sends with a return address of its own, where receivers then look: set up one in your domain there. Naming {{place}} in your record as well does no harm.',
    spf_unknown_address:
      'There is a record that can be read. Mail leaves from this server, whose public address is not known here: see that the record names it.',
    spf_no_relay:
      'There is a record that can be read. Whom it must let send is known once mail leaves through a relay, the mail server that carries it.',
    spf_failed: 'The name servers of {{domain}} did not answer. That often mends itself: check again in a moment.',
    dkim_signs: 'Every mail is signed, with RSA and Ed25519, and DNS has both keys.',
    dkim_signs_rsa_only:
      'Every mail is signed, and DNS has the key. The second one, Ed25519, is stronger and still waits for its record.',
    dkim_no_keys: 'Nothing is signed for {{domain}} yet. Make keys below, and set the two records they come with.',
    dkim_not_published: 'There is no record at {{name}} yet. Set it as shown with the keys below.',
    dkim_other_key: 'The record at {{name}} holds another key, or a part of ours. Copy it whole once more.',
    dkim_revoked: 'The record at {{name}} says that its key was revoked. Set it as shown below, or make new keys.',
    dkim_unreadable:
      'What stands at {{name}} is no single key that receivers can read. Keep one record there, as shown below.',
    dkim_ed25519_only: 'DNS has the Ed25519 key. Many receivers read only RSA: set the other record too.',
    dkim_provider:
      '{{place}} changes what was signed here and signs mail itself, with a key that you set up there. Whether that is done for {{domain}} cannot be seen from here: look there.',
    dkim_provider_may:
      'Nothing is signed here for {{domain}} yet. {{place}} can sign with a key that you set up there; whether it does cannot be seen from here. Keys made below sign whichever way mail leaves.',
    dkim_failed: 'The name servers of {{domain}} did not answer when asked for the keys. Check again in a moment.',
    dmarc_passes: 'The policy at {{name}} is “{{policy}}”, and your mail passes it.',
    dmarc_watches:
      'The policy at {{name}} is “none”: nothing is refused for it, and its reports say who sends in your name. Raise it to “quarantine”, then “reject”, when they are clean.',
    dmarc_unclear:
      'The policy at {{name}} is “{{policy}}”. Whether your mail passes it could not be seen; once the DKIM records are there it does.',
    dmarc_none:
      'There is no policy for {{domain}} yet. Begin with “none”: it changes nothing for your mail and brings reports. Raise it to “quarantine”, then “reject”, when the reports are clean.',
    dmarc_several: 'There are {{count}} policies at {{name}}, and receivers then heed none of them. Keep one.',
    dmarc_unreadable:
      'The record at {{name}} names no policy that receivers can read. It needs p=none, p=quarantine or p=reject.',
    dmarc_refuses:
      'The policy at {{name}} is “{{policy}}”, and your mail does not pass it yet. Set the DKIM records first; until then lower the policy, or do not send.',
    dmarc_failed: 'The name servers did not answer when asked for the policy of {{domain}}. Check again in a moment.',
    mx_receives: 'Mail to {{domain}} arrives.',
    mx_none:
      '{{domain}} takes no mail: answers to your newsletter and bounces are lost. Set an MX record at whoever keeps your mailboxes.',
    mx_implicit:
      '{{domain}} has no MX record, so mail goes to whatever is at its address, often a web server. Set one at whoever keeps your mailboxes.',
    mx_null: '{{domain}} says that it takes no mail at all, and some receivers refuse senders who cannot be answered.',
    mx_lost: 'The servers that should take mail for {{domain}} do not exist.',
    mx_bounces:
      'Bounces go to {{domain}}, and nothing takes mail there. Point its MX at the server that Tirage listens on.',
    mx_failed: 'The name servers of {{domain}} did not answer. Check again in a moment.',
    ptr_confirmed: 'The name of {{address}} leads back to it.',
    ptr_none:
      '{{address}} has no name. Ask whoever rents you the address to set its reverse name to {{place}}; many receivers refuse mail from nameless ones.',
    ptr_mismatch:
      'The name of {{address}} leads elsewhere. Ask whoever rents you the address to set its reverse name to {{place}}.',
    ptr_provider:
      'This matters if you run your own mail server. The addresses that {{place}} sends from are theirs to name.',
    ptr_no_address:
      'This matters if you run your own mail server. The public address that its mail leaves from is not known here.',
    ptr_failed: 'Nobody answered when asked for the name of {{address}}. Check again in a moment.',
  },
  found: 'Found',
  set: 'To set',
  record: {
    name: 'Name',
    value: 'TXT value',
    zone: 'For a zone file',
    hint: 'Some forms add “.{{domain}}” to the name by themselves: leave that part out there.',
  },
  keys: {
    title: 'Keys that sign',
    lead: 'Each mail gets a signature that nobody can forge without your keys. There are two, RSA and Ed25519, each with a record to set. A key begins to sign when its record is seen in DNS; we look every hour, and whenever you check.',
    none: 'Mail is not signed yet.',
    noneText: 'Make a pair of keys, set their two records, and check again.',
    make: 'Make keys',
    renew: 'New keys',
    renewText:
      'New keys get names of their own. The ones you have go on signing until the new records are seen, so nothing is unsigned in between.',
    waiting: 'Waits for its record',
    active: 'Signs',
    retired: 'Signs no more',
    unseen: 'Signs, never seen in DNS',
    since: 'Since {{date}}',
    made: 'Made {{date}}',
    until: 'Leave its record until {{date}}, for mail still on its way. Then remove both.',
    other: 'DNS holds another key under this name.',
    revoked: 'DNS says that this key was revoked.',
    unreadable: 'What DNS holds under this name cannot be read.',
    former: 'For {{domain}}',
    show: 'Show the record',
    force: 'Sign without waiting',
    forceAsk: 'Sign with {{selector}} now?',
    forceText:
      'Its record was not seen. Receivers who cannot find it treat the mail as unsigned. Do this only when you know that it is there, for example where this server cannot ask public DNS.',
    wait: 'Go on waiting',
    retire: 'Stop signing',
    retireAsk: 'Stop signing with {{selector}}?',
    retireText:
      'It signs nothing more, and cannot be switched on again. Leave its record for a week, for mail still on its way.',
    remove: 'Remove',
    removeAsk: 'Remove {{selector}}?',
    removeText: 'The key is gone for good. Remove its record at your DNS provider too.',
    actions: 'What to do with {{selector}}',
  },
  flight: {
    ready: 'Sending domain in order',
    readyText: 'SPF, DKIM and DMARC pass for {{domain}}',
    lacking: 'The sending domain needs a record or two',
    lackingText: 'Still open for {{domain}}: {{list}}. Some receivers will file the mail as spam.',
    refused: 'Receivers will refuse this mail',
    refusedText: 'The policy of {{domain}} tells them to: nothing proves yet that it is yours.',
    unsure: 'Sending domain not fully known',
    unsureText: 'Nothing is wrong with {{domain}} as far as DNS answered.',
    free_mail: 'The sender address is a mailbox provider’s',
    free_mailText: 'Receivers refuse newsletters from {{domain}} that others send, or file them as spam.',
    local: 'The sender address is not public',
    localText: 'No name server outside knows {{domain}}.',
    see: 'See',
  },
}
